/** What is checked in under `src/gen` is what the protos say: `npm run generate` writes it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("generated code is what the protos say", () => {
  const fresh = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    execFileSync("npx", ["buf", "generate", "--output", fresh]);
    assert.deepEqual(read(join(fresh, "src/gen")), read("src/gen"), "stale: npm run generate");
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

function read(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts")).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
