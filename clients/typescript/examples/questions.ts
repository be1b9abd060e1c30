// Five kinds of question: relations, what was true, what was believed, what changed, and in words.
import { asOf, fromObject, ops } from "../src/index.js";
import { connect } from "../src/node.js";

const server = process.env["TENURE_SERVER"] ?? "127.0.0.1:50051";
const memory = connect(`http://${server}`, "questions typescript");
await memory.createNamespace();
const first = await memory.transact(
  [
    ops.declare("works_at", "one"),
    ops.assert("Ann", "works_at", "Acme", { from: "2020" }),
    ops.assert("Acme", "part_of", "Holding", { from: "2010" }),
  ],
  { requestId: "questions-1" },
);
const letter = { source: "letter", statement: "I have been at Zeno since 2022." };
const second = await memory.transact(
  [ops.assert("Ann", "works_at", "Zeno", { from: "2022", evidence: letter })],
  { requestId: "questions-2" },
);

// Relations: who is Ann connected with, in two steps, in 2021? And by which way?
for (const { hop, rectangle } of (await memory.traverse("Ann", { hops: 2, valid: "2021" })).steps) {
  console.log(`hop ${hop}: ${rectangle?.subject} ${rectangle?.predicate} ${fromObject(rectangle?.object)}`);
}
const { namespace } = memory;
const { paths } = await memory.graph.findPaths({ namespace, start: "Ann", target: "Holding", asOf: asOf("2021") });
console.log("path:", paths[0]?.steps.map((step) => fromObject(step.rectangle?.object)).join(" > "));

const works = { subject: "Ann", predicates: ["works_at"] };

// What was true in 2023, as we know it now?
for await (const row of memory.facts(works, { valid: "2023" })) {
  console.log("true:", fromObject(row.object));
}

// What did we believe about 2023 before the letter came?
for await (const row of memory.facts(works, { valid: "2023", known: first.tx })) {
  console.log("believed:", fromObject(row.object));
}

// What changed in what we know about 2023?
const { changed } = await memory.diff(asOf("2023", first.tx), asOf("2023", second.tx));
for (const { before, after } of changed) {
  console.log(`changed: ${fromObject(before?.object)} to ${fromObject(after?.object)}`);
}

// And in words: what bears on a question, best first, as it stood in 2023?
const { hits } = await memory.recall("Where does Ann work?", { valid: "2023" });
console.log("recalled:", hits[0]?.text);
