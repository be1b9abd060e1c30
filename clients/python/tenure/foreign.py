"""What other memories export, as transactions for `Client.import_transactions`.

Both keep the time when something was recorded, so each becomes a transaction of that time: asked
what was known then, Tenure answers what they would have. What they wrote down was a model's
conclusion, so its trust is INFERRED.

    python -m tenure.foreign graphiti export.json --server 127.0.0.1:50051 --namespace people

The files are JSON: `{"nodes": [...], "edges": [...]}` with the fields of Graphiti's `EntityNode` and
`EntityEdge`; `{"results": [...], "relations": [...], "history": [...]}` with what Mem0's `get_all` and
`history` return.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenure import ops
from tenure._requests import Transaction
from tenure.objects import Text
from tenure.times import UNBOUNDED, instant
from tenure.v1.fact_service_pb2 import Operation
from tenure.v1.time_pb2 import Instant

Row = Mapping[str, Any]

#: The relation between an owner and a memory of Mem0, which is a sentence and no triple.
REMEMBERS = "remembers"
_OWNERS = ("user_id", "agent_id", "run_id")


def graphiti(
    nodes: Iterable[Row], edges: Iterable[Row], *, group_id: str | None = None
) -> list[Transaction]:
    """Graphiti's edges: recorded at `created_at`, valid from `valid_at`.

    An edge that was expired is ended at its `invalid_at` by a transaction of its `expired_at`; where
    it has no `invalid_at` it is retracted. Nodes that share a name are told apart by their ids,
    because an entity of Tenure goes by its name.
    """
    wanted = [edge for edge in edges if group_id in (None, edge["group_id"])]
    groups = {edge["group_id"] for edge in wanted}
    if len(groups) > 1:
        raise ValueError(f"{sorted(groups)} are several groups; name one, a namespace each")
    names = _names(nodes)
    log = _Log()
    for edge in wanted:
        subject, target = (names[edge[key]] for key in ("source_node_uuid", "target_node_uuid"))
        valid, invalid, expired = (_time(edge.get(key)) for key in ("valid_at", "invalid_at", "expired_at"))
        episodes = edge.get("episodes") or ["graphiti"]
        said = ops.evidence(episodes[0], trust="INFERRED", statement=edge["fact"])
        log.add(
            _recorded(edge["created_at"]),
            ops.assert_(
                subject,
                edge["name"],
                target,
                from_=valid or UNBOUNDED,
                # What expired later was not known to end before.
                to=None if expired else invalid,
                evidence=said,
            ),
        )
        if expired and invalid:
            log.add(expired, ops.end(subject, edge["name"], target, at=invalid))
        elif expired:
            log.add(expired, ops.retract(subject, edge["name"], target))
    return log.transactions()


def mem0(
    results: Iterable[Row],
    *,
    relations: Iterable[Row] = (),
    history: Iterable[Row] = (),
    owner: str = "mem0",
) -> list[Transaction]:
    """Mem0's memories: `owner remembers "sentence"` from when it was recorded, for it keeps no other time.

    With the rows of `history` an update and a deletion end a sentence when they happened; without
    them a memory is what it is now, from its `created_at`. `owner` is used where no memory names a
    user, agent or run, as for those that were deleted. Relations have no time and come last.
    """
    memories = list(results)
    owners = {memory["id"]: _owner(memory, owner) for memory in memories}
    log = _Log()
    told = set()
    for row in history:
        told.add(row["memory_id"])
        who = owners.get(row["memory_id"], owner)
        log.add(_recorded(row.get("updated_at") or row["created_at"]), _change(row, who))
    for memory in memories:
        if memory["id"] not in told:
            log.add(_recorded(memory["created_at"]), _remembers(owners[memory["id"]], memory["memory"]))
    inferred = ops.evidence("mem0", trust="INFERRED")
    timeless = [
        ops.assert_(
            relation["source"],
            relation["relationship"],
            relation.get("target") or relation["destination"],
            evidence=inferred,
        )
        for relation in relations
    ]
    return log.transactions() + ([Transaction(timeless)] if timeless else [])


def _change(row: Row, owner: str) -> Operation:
    match row["event"]:
        case "ADD":
            return _remembers(owner, row["new_memory"])
        case "UPDATE":
            return ops.supersede(
                owner,
                REMEMBERS,
                Text(row["new_memory"]),
                old_object=Text(row["old_memory"]),
                evidence=ops.evidence("mem0", trust="INFERRED"),
            )
        case "DELETE":
            return ops.end(owner, REMEMBERS, Text(row["old_memory"]))
        case event:
            raise ValueError(f"{event!r} is no event of a history: ADD, UPDATE or DELETE")


def _remembers(owner: str, sentence: str) -> Operation:
    said = ops.evidence("mem0", trust="INFERRED")
    return ops.assert_(owner, REMEMBERS, Text(sentence), evidence=said)


def _owner(memory: Row, default: str) -> str:
    named = (memory.get(key) for key in _OWNERS)
    return next((str(name) for name in named if name), default)


def _names(nodes: Iterable[Row]) -> dict[str, str]:
    """A name of its own for each node."""
    alike = defaultdict(list)
    for node in nodes:
        key = " ".join(unicodedata.normalize("NFC", node["name"]).casefold().split())
        alike[key].append(node)
    return {
        node["uuid"]: node["name"] if len(same) == 1 else f"{node['name']} ({node['uuid']})"
        for same in alike.values()
        for node in same
    }


@dataclass
class _Timed:
    micros: int
    operation: Operation


class _Log:
    """Operations by the time they were recorded; those of one time are one transaction."""

    def __init__(self) -> None:
        self._rows: list[_Timed] = []

    def add(self, time: Instant, operation: Operation) -> None:
        self._rows.append(_Timed(time.unix_micros, operation))

    def transactions(self) -> list[Transaction]:
        by_time = defaultdict(list)
        for row in sorted(self._rows, key=lambda row: row.micros):
            by_time[row.micros].append(row.operation)
        return [Transaction(rows, Instant(unix_micros=at)) for at, rows in by_time.items()]


def _recorded(value: str | datetime) -> Instant:
    time = _time(value)
    if time is None:
        raise ValueError("a record without the time it was made")
    return time


def _time(value: str | datetime | None) -> Instant | None:
    """Both write UTC where they write no zone."""
    if not value:
        return None
    if isinstance(value, str):
        value = datetime.fromisoformat(value.replace("Z", "+00:00"))
    return instant(value if value.tzinfo else value.replace(tzinfo=timezone.utc))


def main(arguments: list[str] | None = None) -> None:
    import tenure

    parser = argparse.ArgumentParser(prog="python -m tenure.foreign", description=__doc__)
    parser.add_argument("format", choices=["graphiti", "mem0"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", default="127.0.0.1:50051")
    parser.add_argument("--namespace", required=True, help="made for it, and empty")
    parser.add_argument("--group", help="the group of Graphiti to take")
    given = parser.parse_args(arguments)
    export = json.loads(given.file.read_text())
    if given.format == "graphiti":
        transactions = graphiti(export["nodes"], export["edges"], group_id=given.group)
    else:
        transactions = mem0(
            export["results"],
            relations=export.get("relations") or (),
            history=export.get("history") or (),
        )
    with tenure.connect(given.server, given.namespace) as client:
        client.create_namespace(allow_existing=False)
        done = client.import_transactions(transactions)
    print(f"{done.applied} applied, {done.rejected} rejected, up to transaction {done.tx}")
    for row in done.rejected_rows:
        for broken in row.violations:
            print(f"operation {row.row}: {broken.description} [{broken.reason}]")


if __name__ == "__main__":
    main()
