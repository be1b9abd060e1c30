// State two facts and ask what held at a date. `tenure serve --data DIR` starts a server.
import { ops } from "../src/index.js";
import { connect } from "../src/node.js";

const server = process.env["TENURE_SERVER"] ?? "127.0.0.1:50051";
const memory = connect(`http://${server}`, "quickstart typescript");
await memory.createNamespace();
await memory.transact(
  [
    ops.declare("works_at", "one"),
    ops.assert("Ann", "works_at", "Acme", { from: "2020" }),
    ops.assert("Ann", "works_at", "Zeno", { from: "2023" }),
  ],
  { requestId: "quickstart-1" }, // Sent again, it changes nothing.
);
for await (const fact of memory.facts({ subject: "Ann" }, { valid: "2022" })) {
  console.log(`in 2022: ${fact.subject} ${fact.predicate} ${fact.object?.object.value}`);
}
