"""What an item was over time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tenure.times import to_datetime
from tenure.v1.fact_service_pb2 import GetTimelineRequest
from tenure.v1.record_pb2 import Rectangle
from tenure.v1.time_pb2 import TransactionPoint
from tenure_langgraph import names, records
from tenure_langgraph.plan import ROWS_MAX, Call, Plan
from tenure_langgraph.records import Key, Put


@dataclass(frozen=True)
class Version:
    """A value, from when until when it was the item's, and from when until when that was known."""

    value: dict[str, Any]
    valid_from: datetime
    #: Exclusive. `None`: it still is, and no end is known.
    valid_to: datetime | None
    known_from: datetime
    #: `None`: it is what is known now.
    known_to: datetime | None
    #: The transaction that made it known, for `at(known=...)`.
    tx: int


@dataclass(frozen=True)
class _Area:
    """Valid time by transactions, both half-open."""

    valid: tuple[int, float]
    known: tuple[int, float]

    @staticmethod
    def of(row: Rectangle) -> _Area:
        end = row.valid_to.unix_micros if row.HasField("valid_to") else float("inf")
        known = row.tx_to if row.HasField("tx_to") else float("inf")
        return _Area((row.valid_from.unix_micros, end), (row.tx_from, known))

    def overlap(self, other: _Area) -> bool:
        pairs = (self.valid, other.valid), (self.known, other.known)
        return all(max(a[0], b[0]) < min(a[1], b[1]) for a, b in pairs)


def history(
    namespace: str, key: Key, known: TransactionPoint | None, audit: bool
) -> Plan[list[Version]]:
    name = names.of_item(*key)

    def timeline(predicate: str) -> Plan[list[Rectangle]]:
        request = GetTimelineRequest(
            namespace=namespace,
            subject=name,
            predicate=predicate,
            known=known,
            audit=audit,
            page_size=ROWS_MAX,
        )
        rows: list[Rectangle] = []
        while True:
            page = yield Call("fact", "GetTimeline", request)
            rows += page.rectangles
            if not page.next_page_token:
                return rows
            request.page_token = page.next_page_token

    home = names.of_namespace(key[0])
    held = [row for row in (yield from timeline(records.IN)) if row.object.entity == home]
    puts = yield from timeline(records.PUT)
    most = max((Put.read(row.object.value.text).parts for row in puts), default=1)
    parts = []
    for number in range(most):
        parts.append((yield from timeline(records.part(number))))
    return _joined(sorted(_versions(puts, held, parts), key=lambda v: (v.valid_from, v.tx)))


def _versions(
    puts: Sequence[Rectangle], held: Sequence[Rectangle], parts: Sequence[Sequence[Rectangle]]
) -> Iterator[Version]:
    """A version is where one put and one stay in the namespace overlap, on both clocks."""
    for row in puts:
        put = Put.read(row.object.value.text)
        for stay in held:
            if put.deleted or not _Area.of(row).overlap(_Area.of(stay)):
                continue
            start = max(row, stay, key=lambda r: r.valid_from.unix_micros)
            end = min(row, stay, key=lambda r: _Area.of(r).valid[1])
            first = max(row, stay, key=lambda r: r.tx_from)
            last = min(row, stay, key=lambda r: _Area.of(r).known[1])
            at = _Area(
                (start.valid_from.unix_micros, start.valid_from.unix_micros + 1),
                (first.tx_from, first.tx_from + 1),
            )
            texts = (_at(rows, at) for rows in parts[: put.parts])
            yield Version(
                value=json.loads("".join(texts)),
                valid_from=to_datetime(start.valid_from),
                valid_to=to_datetime(end.valid_to) if end.HasField("valid_to") else None,
                known_from=to_datetime(first.tx_from_time),
                known_to=to_datetime(last.tx_to_time) if last.HasField("tx_to") else None,
                tx=first.tx_from,
            )


def _joined(versions: Sequence[Version]) -> list[Version]:
    """One version for those that only a change of another one parts. By what was known when."""
    joined: list[Version] = []
    for version in versions:
        last = joined[-1] if joined else version
        same = (last.valid_from, last.valid_to) == (version.valid_from, version.valid_to)
        if same and last.known_to == version.known_from:
            joined[-1] = replace(last, known_to=version.known_to)
        else:
            joined.append(version)
    return sorted(joined, key=lambda version: (version.tx, version.valid_from))


def _at(rows: Sequence[Rectangle], at: _Area) -> str:
    return next(row.object.value.text for row in rows if _Area.of(row).overlap(at))
