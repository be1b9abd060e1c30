/** The table that every client is held to, and errors that have no reason. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { Code, NO_RETRY, ops, TenureError, type Client } from "../src/index.js";
import { connect } from "../src/node.js";
import { connect as connectWeb } from "../src/web.js";
import { OperationSchema } from "../src/gen/tenure/v1/fact_service_pb.js";
import { AdminService } from "../src/gen/tenure/v1/admin_service_pb.js";
import { FactService } from "../src/gen/tenure/v1/fact_service_pb.js";
import { GraphService } from "../src/gen/tenure/v1/graph_service_pb.js";
import { MemoryService } from "../src/gen/tenure/v1/memory_service_pb.js";
import { memory, url } from "./server.js";

interface Case {
  name: string;
  service: "FactService" | "GraphService" | "MemoryService" | "AdminService";
  method: string;
  request: JsonObject;
  code: string;
  reason: string;
  fields: [string, string][];
  metadata?: Record<string, string>;
}

const table = JSON.parse(readFileSync("../errors.json", "utf8")) as { setup: JsonValue[]; cases: Case[] };
const services = { FactService, GraphService, MemoryService, AdminService };

async function failure(call: () => Promise<unknown>): Promise<TenureError> {
  try {
    await call();
  } catch (error) {
    assert.ok(error instanceof TenureError, String(error));
    return error;
  }
  return assert.fail("it was not refused");
}

function call(client: Client, { service, method, request }: Case, namespace: string): Promise<unknown> {
  const described = services[service].methods.find((found) => found.name === method);
  assert.ok(described, method);
  const filled = JSON.parse(JSON.stringify(request).replaceAll("{namespace}", namespace)) as JsonValue;
  const { fact: FactService, graph: GraphService, memory: MemoryService, admin: AdminService } = client;
  const stub = { FactService, GraphService, MemoryService, AdminService }[service];
  const send = (stub as unknown as Record<string, (message: unknown) => Promise<unknown>>)[described.localName];
  assert.ok(send, described.localName);
  return send(fromJson(described.input, filled));
}

async function holds(client: Client, namespace: string): Promise<void> {
  for (const wanted of table.cases) {
    const error = await failure(() => call(client, wanted, namespace));
    assert.deepEqual([codeName(error.code), error.reason], [wanted.code, wanted.reason], wanted.name);
    assert.deepEqual(error.violations.map((v) => [v.field, v.reason]), wanted.fields, wanted.name);
    assert.ok(error.violations.every((v) => v.description !== ""), wanted.name);
    for (const [key, value] of Object.entries(wanted.metadata ?? {})) assert.equal(error.info[key], value);
  }
}

/** `NotFound` as the table writes it: `NOT_FOUND`. */
function codeName(code: Code): string {
  return (Code[code] ?? "").replace(/(?<=.)([A-Z])/g, "_$1").toUpperCase();
}

test("every client is told the same", async () => {
  const client = await memory();
  await client.transact(table.setup.map((row) => fromJson(OperationSchema, row)));
  await holds(client, client.namespace);
});

test("over gRPC-Web too", async (t) => {
  const client = await memory();
  await client.transact(table.setup.map((row) => fromJson(OperationSchema, row)));
  const web = connectWeb(url, client.namespace, { retry: NO_RETRY });
  const unspoken = await webIsUnspoken();
  if (unspoken) return t.skip(unspoken);
  await holds(web, client.namespace);
  assert.deepEqual(await web.facts({ subject: "Ann" }, { valid: "2021" }).all(), await client.facts({ subject: "Ann" }, { valid: "2021" }).all());
});

/** A server that has no gRPC-Web answers HTTP/1.1 with nothing that is HTTP. */
async function webIsUnspoken(): Promise<string | undefined> {
  try {
    const headers = { "content-type": "application/grpc-web+proto" };
    const response = await fetch(`${url}/tenure.v1.AdminService/Ping`, { method: "POST", headers, body: new Uint8Array(5) });
    const kind = response.headers.get("content-type") ?? "nothing";
    return kind.startsWith("application/grpc-web") ? undefined : `the server answers gRPC-Web with ${kind}`;
  } catch {
    return "the server speaks no HTTP/1.1, which gRPC-Web needs";
  }
}

test("streams fail as calls do", async () => {
  const client = connect(url, "nowhere");
  const watched = await failure(async () => {
    for await (const _ of client.watch()) break;
  });
  assert.equal(watched.reason, "NAMESPACE_UNKNOWN");
  const imported = await failure(() => client.importFacts([ops.assert("a", "p", "b")]));
  assert.deepEqual([imported.code, imported.reason], [Code.NotFound, "NAMESPACE_UNKNOWN"]);
});

test("a server that is not there has a code and no reason", async () => {
  const client = connect("http://127.0.0.1:1", "x", { retry: NO_RETRY });
  const error = await failure(() => client.facts().all());
  assert.deepEqual([error.code, error.reason], [Code.Unavailable, ""]);
});
