"""State two facts and ask what held at a date. `tenure serve --data DIR` starts a server."""

import os

import tenure
from tenure import ops

server = os.environ.get("TENURE_SERVER", "127.0.0.1:50051")
with tenure.connect(server, namespace="quickstart python") as memory:
    memory.create_namespace()
    memory.transact(
        [
            ops.declare("works_at", one=True),
            ops.assert_("Ann", "works_at", "Acme", from_="2020"),
            ops.assert_("Ann", "works_at", "Zeno", from_="2023"),
        ],
        request_id="quickstart-1",  # Sent again, it changes nothing.
    )
    for fact in memory.facts("Ann", valid="2022"):
        print(f"in 2022: {fact.subject} {fact.predicate} {fact.object.entity}")
