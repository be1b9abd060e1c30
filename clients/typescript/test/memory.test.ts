/** The helpers against a real server. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { asOf, type Client, fromObject, ops, pages, text, UNBOUNDED } from "../src/index.js";
import { ListFactsRequestSchema } from "../src/gen/tenure/v1/fact_service_pb.js";
import type { Rectangle } from "../src/gen/tenure/v1/record_pb.js";
import { memory } from "./server.js";

const works = { subject: "Ann", predicates: ["works_at"] };
const objects = (rows: Rectangle[]) => rows.map((row) => fromObject(row.object));

async function tell(client: Client): Promise<[bigint, bigint]> {
  const first = await client.transact([
    ops.declare("works_at", "one"),
    ops.assert("Ann", "works_at", "Acme", { from: "2020" }),
    ops.assert("Acme", "part_of", "Holding", { from: UNBOUNDED }),
    ops.assert("Ann", "badge", text("B-17"), { from: "2021", to: "2022" }),
  ]);
  const second = await client.transact([ops.assert("Ann", "works_at", "Zeno", { from: "2022" })]);
  return [first.tx, second.tx];
}

test("both clocks", async () => {
  const client = await memory();
  const [first, second] = await tell(client);
  assert.deepEqual(objects(await client.facts(works, { valid: "2023" }).all()), ["Zeno"]);
  assert.deepEqual(objects(await client.facts(works, { valid: "2023", known: first }).all()), ["Acme"]);
  const noon = new Date("2021-06-01T12:00Z");
  assert.deepEqual(objects(await client.facts({ subject: "Ann" }, { valid: noon }).all()), ["Acme", text("B-17")]);
  const badge = { subject: "Ann", predicates: ["badge"] };
  assert.deepEqual(objects(await client.facts(badge, { valid: "2021", edge: "end" }).all()), [text("B-17")]);
  const late: [string, undefined] = ["2021-12", undefined];
  assert.deepEqual(objects(await client.facts(badge, { overlapping: late }).all()), [text("B-17")]);
  const { changed } = await client.diff(asOf("2023", first), asOf("2023", second));
  assert.deepEqual(changed.map((c) => [fromObject(c.before?.object), fromObject(c.after?.object)]), [["Acme", "Zeno"]]);
  const { steps } = await client.traverse("Ann", { hops: 2, valid: "2020-06" });
  assert.deepEqual(steps.map((step) => fromObject(step.rectangle?.object)), ["Acme", "Holding"]);
  assert.equal((await client.timeline("Ann", "works_at").all()).length, 2);
});

test("a basis repeats an answer", async () => {
  const client = await memory();
  await tell(client);
  const rows = client.facts(works, { valid: "2023" });
  const basis = await rows.basis();
  const before = await rows.all();
  await client.transact([ops.assert("Ann", "works_at", "Lakeside", { from: "2022-06" })]);
  assert.deepEqual(await client.facts(works, { valid: basis }).all(), before);
  assert.notDeepEqual(await client.facts(works, { valid: "2023" }).all(), before);
});

test("pages are followed", async () => {
  const client = await memory();
  const rows = Array.from({ length: 25 }, (_, n) => ops.assert("hub", "knows", `n${n}`, { from: "2020" }));
  await client.importFacts(rows, { batch: 10 });
  const request = create(ListFactsRequestSchema, { namespace: client.namespace, pageSize: 10 });
  const sizes: number[] = [];
  for await (const page of pages(client.fact.listFacts, ListFactsRequestSchema, request)) sizes.push(page.rectangles.length);
  assert.deepEqual([sizes, request.pageToken], [[10, 10, 5], ""]);
});

test("an import counts and names its rows", async () => {
  const client = await memory();
  const rows = Array.from({ length: 10_050 }, (_, n) =>
    ops.assert(`s${n}`, "knows", "o", { from: n === 10_020 ? "2020-13" : "2020" }),
  );
  const done = await client.importFacts(rows);
  assert.deepEqual([done.applied, done.rejected], [10_049n, 1n]);
  assert.deepEqual(done.rejectedRows.map((row) => [row.row, row.violations[0]?.reason]), [[10_020n, "DATE_INVALID"]]);
  const again = await client.importFacts(rows);
  assert.deepEqual([again.applied, again.replayed], [0n, 10_049n]);
});

test("a watch ends where its loop is left", async () => {
  const client = await memory();
  const [first] = await tell(client);
  const seen: bigint[] = [];
  for await (const change of client.watch({ fromTx: first })) {
    seen.push(change.tx);
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, [first, first + 1n]);
});

test("examples run, and the quickstart is short", () => {
  const run = (name: string) =>
    execFileSync(process.execPath, [`dist/examples/${name}.js`], { encoding: "utf8" }).trimEnd().split("\n");
  assert.deepEqual(run("quickstart"), ["in 2022: Ann works_at Acme"]);
  assert.deepEqual(run("questions"), [
    "hop 1: Ann works_at Acme",
    "hop 2: Acme part_of Holding",
    "path: Acme > Holding",
    "true: Zeno",
    "believed: Acme",
    "changed: Acme to Zeno",
    "recalled: I have been at Zeno since 2022.",
  ]);
  assert.ok(readFileSync("examples/quickstart.ts", "utf8").split("\n").length < 30);
});
