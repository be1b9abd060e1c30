/** Retries, against a service in this process that fails as it is told to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { Client, NO_RETRY, ops, TenureError } from "../src/index.js";
import { AdminService } from "../src/gen/tenure/v1/admin_service_pb.js";
import { FactService, type ImportFactsRequest, type TransactRequest } from "../src/gen/tenure/v1/fact_service_pb.js";
import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { GraphService } from "../src/gen/tenure/v1/graph_service_pb.js";
import { MemoryService } from "../src/gen/tenure/v1/memory_service_pb.js";
import { settle } from "../src/options.js";
import { READS } from "../src/retry.js";

const QUICK = { attempts: 4, firstMs: 1, longestMs: 10 };
type Failure = [Code, string];
const LOST: Failure = [Code.Unavailable, ""];
const FULL: Failure = [Code.ResourceExhausted, "QUEUE_FULL"];
const NO_ROOM: Failure = [Code.ResourceExhausted, "STORAGE_FULL"];

function failing(failures: Failure[], retry = QUICK) {
  const seen: (TransactRequest | ImportFactsRequest[] | string)[] = [];
  const answer = (request: (typeof seen)[number]) => {
    seen.push(request);
    const failure = failures.shift();
    if (failure) {
      const detail = { desc: ErrorInfoSchema, value: { reason: failure[1], domain: "tenure" } };
      throw new ConnectError("as told", failure[0], undefined, failure[1] ? [detail] : []);
    }
  };
  const transport = createRouterTransport(
    (router) => {
      router.rpc(FactService.method.transact, (request) => (answer(request), { tx: 1n }));
      router.rpc(AdminService.method.deleteNamespace, (request) => (answer(request.name), {}));
      router.rpc(FactService.method.importFacts, async (requests) => {
        const all: ImportFactsRequest[] = [];
        for await (const request of requests) all.push(request);
        answer(all);
        return { applied: 2n };
      });
    },
    { transport: { interceptors: settle({ retry }).interceptors } },
  );
  return { client: new Client(transport, "home", retry), seen };
}

test("a write is sent again with its id", async () => {
  const { client, seen } = failing([LOST, FULL]);
  assert.equal((await client.transact([ops.unmerge("a")])).tx, 1n);
  const ids = seen.map((request) => (request as TransactRequest).requestId);
  assert.equal(ids.length, 3);
  assert.ok(ids[0] !== "" && ids.every((id) => id === ids[0]));
});

test("what may do harm is sent once", async () => {
  const cases: [Failure, string, number][] = [[LOST, "", 1], [FULL, "", 2], [LOST, "mine", 2], [NO_ROOM, "mine", 1]];
  for (const [failure, requestId, sent] of cases) {
    const { client, seen } = failing([failure]);
    await client.transact([ops.unmerge("a")], { requestId }).catch((error: unknown) => assert.ok(error instanceof TenureError));
    assert.equal(seen.length, sent, `${failure[1]} ${requestId}`);
  }
  const { client, seen } = failing([LOST]);
  await assert.rejects(client.admin.deleteNamespace({ name: "a" }), TenureError);
  assert.equal(seen.length, 1);
});

test("every call of the contract was thought of", () => {
  const services = [FactService, GraphService, MemoryService, AdminService];
  const calls = services.flatMap((service) => service.methods.map((method) => method.name));
  const writes = ["Transact", "ImportFacts", "AddEpisodes", "CreateNamespace", "DeleteNamespace", "Erase", "Reembed"];
  writes.push("CreateCredential", "RotateCredential", "RevokeCredential", "SetQuotas", "SetBudgets", "UpdatePolicy");
  writes.push("AppendTurns", "EndSession", "RegenerateSummary", "Reflect", "RetractDerived", "Remember");
  writes.push("UpdateCoreMemory", "SweepMemories");
  assert.deepEqual([...READS, ...writes, "Backup", "ExportFacts", "WatchFacts"].sort(), calls.sort());
});

test("attempts end", async () => {
  const { client, seen } = failing(Array<Failure>(9).fill(LOST));
  await assert.rejects(client.transact([ops.unmerge("a")]), TenureError);
  assert.equal(seen.length, 4);
  const once = failing([LOST], NO_RETRY);
  await assert.rejects(once.client.transact([ops.unmerge("a")]), TenureError);
});

test("an import sends the same rows again where they are known", async () => {
  const rows = [ops.assert("a", "p", "b"), ops.assert("a", "p", "c")];
  const { client, seen } = failing([LOST, LOST]);
  assert.equal((await client.importFacts(rows)).applied, 2n);
  assert.equal(seen.length, 3);
  const once = failing([LOST]);
  await assert.rejects(once.client.importFacts(rows, { deduplicate: false }), TenureError);
});
