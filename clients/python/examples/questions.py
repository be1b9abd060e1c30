"""Five kinds of question: relations, what was true, what was believed, what changed, and in words."""

import os

import tenure
from tenure import ops
from tenure.v1.graph_service_pb2 import FindPathsRequest

server = os.environ.get("TENURE_SERVER", "127.0.0.1:50051")
with tenure.connect(server, namespace="questions python") as memory:
    memory.create_namespace()
    first = memory.transact(
        [
            ops.declare("works_at", one=True),
            ops.assert_("Ann", "works_at", "Acme", from_="2020"),
            ops.assert_("Acme", "part_of", "Holding", from_="2010"),
        ],
        request_id="questions-1",
    )
    letter = ops.evidence("letter", statement="I have been at Zeno since 2022.")
    second = memory.transact(
        [ops.assert_("Ann", "works_at", "Zeno", from_="2022", evidence=letter)],
        request_id="questions-2",
    )

    # Relations: who is Ann connected with, in two steps, in 2021? And by which way?
    for step in memory.traverse("Ann", hops=2, valid="2021").steps:
        row = step.rectangle
        print(f"hop {step.hop}: {row.subject} {row.predicate} {row.object.entity}")
    paths = memory.graph.FindPaths(
        FindPathsRequest(
            namespace=memory.namespace,
            start="Ann",
            target="Holding",
            as_of=tenure.as_of("2021"),
        )
    ).paths
    print("path:", " > ".join(step.rectangle.object.entity for step in paths[0].steps))

    # What was true in 2023, as we know it now?
    now = memory.facts("Ann", "works_at", valid="2023")
    print("true:", *(row.object.entity for row in now))

    # What did we believe about 2023 before the letter came?
    then = memory.facts("Ann", "works_at", valid="2023", known=first.tx)
    print("believed:", *(row.object.entity for row in then))

    # What changed in what we know about 2023?
    before, after = (tenure.as_of("2023", tx) for tx in (first.tx, second.tx))
    for change in memory.diff(before, after).changed:
        print(f"changed: {change.before.object.entity} to {change.after.object.entity}")

    # And in words: what bears on a question, best first, as it stood in 2023?
    print("recalled:", memory.recall("Where does Ann work?", valid="2023").hits[0].text)
