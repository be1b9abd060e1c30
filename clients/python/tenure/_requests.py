"""What the clients share whether they wait or not: requests from arguments, and pages and streams
cut to size."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tenure.objects import Target, to_object
from tenure.times import End, Moment, as_of, known_point, named, span
from tenure.v1 import fact_service_pb2 as facts
from tenure.v1 import graph_service_pb2 as graph
from tenure.v1 import memory_service_pb2 as memory
from tenure.v1.fact_service_pb2 import ImportFactsRequest, Operation, RejectedRow
from tenure.v1.time_pb2 import AsOf, Basis, Instant

MESSAGE_BYTES_MAX = 16 * 1024 * 1024
#: An exported transaction may be larger than its request was.
REPLY_BYTES_MAX = 2 * MESSAGE_BYTES_MAX
CHANNEL_OPTIONS: Sequence[tuple[str, Any]] = (
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_receive_message_length", REPLY_BYTES_MAX),
)
#: Rows of a page: as many as there may be, since pages are followed to the end.
PAGE_SIZE = 10_000
#: Operations of one import stream: as many rejected rows as a reply lists one by one.
STREAM_OPERATIONS = 10_000
IMPORT_BATCH = 1_000

When = AsOf | Basis | Moment | None


def point(valid: When, known: int | Moment | None, edge: str, zone: str) -> AsOf:
    if isinstance(valid, AsOf):
        if known is not None:
            raise TypeError("an AsOf says both times; leave out `known`")
        return valid
    return as_of(valid, known, edge=edge, zone=zone)


def pattern(
    subject: str, predicates: str | Iterable[str], object: Target | None
) -> facts.FactPattern:
    return facts.FactPattern(
        subject=subject,
        predicates=[predicates] if isinstance(predicates, str) else list(predicates),
        object=None if object is None else to_object(object),
    )


def transact(
    namespace: str,
    operations: Iterable[Operation],
    request_id: str | None,
    partial: bool,
    dry_run: bool,
) -> facts.TransactRequest:
    mode = facts.TRANSACT_MODE_PARTIAL if partial else facts.TRANSACT_MODE_ATOMIC
    return facts.TransactRequest(
        namespace=namespace,
        # An id of its own makes it safe to send again when nobody knows whether it was committed.
        request_id=uuid.uuid4().hex if request_id is None else request_id,
        operations=operations,
        mode=mode,
        dry_run=dry_run,
    )


def list_facts(
    namespace: str,
    pattern: facts.FactPattern,
    valid: When,
    known: int | Moment | None,
    overlapping: tuple[End, End] | None,
    clamp: bool,
    edge: str,
    zone: str,
) -> facts.ListFactsRequest:
    return facts.ListFactsRequest(
        namespace=namespace,
        pattern=pattern,
        as_of=point(valid, known, edge, zone),
        overlapping=None if overlapping is None else span(*overlapping, zone=zone),
        clamp=clamp,
        page_size=PAGE_SIZE,
    )


def timeline(
    namespace: str,
    subject: str,
    predicate: str,
    known: int | Moment | None,
    audit: bool,
    edge: str,
    zone: str,
) -> facts.GetTimelineRequest:
    return facts.GetTimelineRequest(
        namespace=namespace,
        subject=subject,
        predicate=predicate,
        known=known_point(known, edge=edge, zone=zone),
        audit=audit,
        page_size=PAGE_SIZE,
    )


def diff(
    namespace: str, from_: AsOf, to: AsOf, pattern: facts.FactPattern, plain_rows: bool
) -> facts.DiffFactsRequest:
    return facts.DiffFactsRequest(
        **named(from_=from_),
        namespace=namespace,
        to=to,
        pattern=pattern,
        plain_rows=plain_rows,
        page_size=PAGE_SIZE,
    )


def traverse(
    namespace: str,
    start: str,
    hops: int,
    direction: str,
    predicates: Iterable[str],
    as_of: AsOf,
    limit: int,
    fan_out: int,
) -> graph.TraverseRequest:
    return graph.TraverseRequest(
        namespace=namespace,
        start=start,
        hops=hops,
        direction=f"DIRECTION_{direction.upper()}",
        predicates=predicates,
        as_of=as_of,
        limit=limit,
        fan_out=fan_out,
    )


def recall(
    namespace: str, query: str, as_of: AsOf, limit: int, token_budget: int
) -> memory.RecallRequest:
    return memory.RecallRequest(
        namespace=namespace, query=query, as_of=as_of, limit=limit, token_budget=token_budget
    )


@dataclass(frozen=True)
class Transaction:
    """Operations that were committed together, at `time` if that is to be kept."""

    operations: list[Operation]
    time: Instant | None = None


@dataclass
class Imported:
    """What became of the operations of an import, by outcome. `tx` is the last transaction."""

    applied: int = 0
    no_change: int = 0
    replayed: int = 0
    contested: int = 0
    blocked: int = 0
    no_match: int = 0
    rejected: int = 0
    tx: int = 0
    #: Operations that were left out; `row` counts from 0.
    rejected_rows: list[RejectedRow] = field(default_factory=list)

    def add(self, response: facts.ImportFactsResponse) -> None:
        for name in (
            "applied", "no_change", "replayed", "contested", "blocked", "no_match", "rejected",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(response, name))
        self.rejected_rows.extend(response.rejected_rows)
        self.tx = max(self.tx, response.tx)


def import_transactions(
    namespace: str, transactions: Iterable[Transaction]
) -> Iterator[ImportFactsRequest]:
    row = 0
    for transaction in transactions:
        yield ImportFactsRequest(
            namespace=namespace,
            operations=transaction.operations,
            tx_time=transaction.time,
            first_row=row,
        )
        row += len(transaction.operations)


def import_streams(
    namespace: str, operations: Iterable[Operation], batch: int, deduplicate: bool
) -> Iterator[list[ImportFactsRequest]]:
    """The operations as streams of messages, lazily. A stream is small enough to be sent again."""
    rest = iter(operations)
    row = 0
    while taken := list(islice(rest, STREAM_OPERATIONS)):
        messages: list[ImportFactsRequest] = []
        size = 0
        for operation in taken:
            # Half of what a message may hold leaves room for what surrounds the operations.
            bytes_ = operation.ByteSize() + 8
            full = len(messages[-1].operations) >= batch if messages else True
            if full or size + bytes_ > MESSAGE_BYTES_MAX // 2:
                messages.append(
                    ImportFactsRequest(namespace=namespace, deduplicate=deduplicate, first_row=row)
                )
                size = 0
            messages[-1].operations.append(operation)
            size += bytes_
            row += 1
        yield messages
