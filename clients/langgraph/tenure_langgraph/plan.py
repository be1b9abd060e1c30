"""What a batch asks the server and makes of its answers, without waiting for any.

A plan is a generator: it yields a call or texts to embed, is sent the answer, and returns its
result. `store` runs the same plans with a client that waits and with one that does not.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)
from tenure import FailedPrecondition, NotFound
from tenure.v1 import fact_service_pb2 as facts
from tenure.v1 import memory_service_pb2 as memory
from tenure.v1.record_pb2 import Object, Rectangle, Vector
from tenure.v1.time_pb2 import AsOf, Basis, Instant, TransactionPoint, ValidPoint
from tenure_langgraph import filters, names, records
from tenure_langgraph.index import Index
from tenure_langgraph.records import Found, Key, Put, Sentence, Stored

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One call of the server, by the name of its stub."""

    service: str
    method: str
    request: Any


@dataclass(frozen=True)
class Embed:
    """Texts whose vectors are wanted. A question is embedded apart from what it looks for."""

    texts: Sequence[str]
    question: bool = False


Step: TypeAlias = Call | Embed
Plan: TypeAlias = Generator[Step, Any, T]

ROWS_MAX = 10_000
#: Items of one read: with the first parts of their values they stay far below what a reply holds.
ITEMS_MAX = 500
HITS_MAX = 1_000
#: Operations and bytes of one transaction, half of what it may have.
OPERATIONS_MAX = 5_000
BYTES_MAX = 8 * 1024 * 1024
QUERY_BYTES_MAX = 16_384


class Reader:
    """Reads of one batch. All are answered where the first one was."""

    def __init__(self, namespace: str, at: AsOf) -> None:
        self.namespace = namespace
        self._at = at
        self.basis: Basis | None = None

    def _as_of(self) -> AsOf:
        if self.basis is None:
            return self._at
        return AsOf(
            valid=ValidPoint(instant=self.basis.valid_time),
            known=TransactionPoint(tx=self.basis.tx),
        )

    def _ask(self, service: str, method: str, request: Any) -> Plan[Any]:
        request.namespace = self.namespace
        request.as_of.CopyFrom(self._as_of())
        reply = yield Call(service, method, request)
        self.basis = self.basis or reply.basis
        return reply

    def now(self) -> Plan[Instant]:
        if self.basis is None:
            yield from self._ask("fact", "ListFacts", facts.ListFactsRequest(page_size=1))
        assert self.basis, "a reply has a basis"
        return self.basis.valid_time

    def found(self, keys: Sequence[Key]) -> Plan[list[Found]]:
        """What is noted of items, whether they are there or not."""
        items: list[Found] = []
        for chunk in _chunks(keys, ITEMS_MAX):
            patterns = [pattern for key in chunk for pattern in records.patterns(key)]
            request = facts.BatchGetFactsRequest(patterns=patterns)
            reply = yield from self._ask("fact", "BatchGetFacts", request)
            rows = [match.rectangles for match in reply.matches]
            items += map(records.found, chunk, rows[::2], rows[1::2])
        return items

    def stored(self, keys: Sequence[Key]) -> Plan[list[Stored | None]]:
        """The items, with their values. `None` for those that are not there."""
        items: list[Stored | None] = []
        for item in (yield from self.found(keys)):
            items.append((yield from self.whole(item)) if item.is_there else None)
        return items

    def whole(self, item: Found) -> Plan[Stored]:
        """The item with the parts of its value that a batch does not read."""
        assert item.put, "an item that is there was put"
        if item.put.parts == 1:
            return item.stored()
        parts = [records.part(number) for number in range(1, item.put.parts)]
        pattern = facts.FactPattern(subject=names.of_item(*item.key), predicates=parts)
        texts: dict[str, str] = {}
        for page in (yield from self._pages(pattern, ROWS_MAX)):
            texts.update((row.predicate, row.object.value.text) for row in page)
        return item.stored("".join(texts[part] for part in parts))

    def keys_under(self, prefix: str, count: int | None = None) -> Plan[list[Key]]:
        """Items in a namespace or below it, in the order in which they were first put."""
        pattern = facts.FactPattern(predicates=[records.IN], object=Object(entity=prefix))
        pages = yield from self._pages(pattern, ROWS_MAX, count)
        return [names.to_item(row.subject) for page in pages for row in page]

    def _pages(
        self, pattern: facts.FactPattern, size: int, count: int | None = None
    ) -> Plan[list[list[Rectangle]]]:
        pages: list[list[Rectangle]] = []
        left = count
        request = facts.ListFactsRequest(pattern=pattern)
        while left is None or left > 0:
            request.page_size = size if left is None else min(size, left)
            page = yield from self._ask("fact", "ListFacts", request)
            pages.append(list(page.rectangles))
            left = None if left is None else left - len(page.rectangles)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        return pages

    def ranked(self, prefix: str, query: str, vector: Vector | None, limit: int) -> Plan[list[Hit]]:
        """Texts of items under a prefix that answer the query, best first."""
        request = memory.RecallRequest(
            query=query.encode()[:QUERY_BYTES_MAX].decode(errors="ignore"),
            vector=vector,
            legs=[memory.LEG_TEXT, memory.LEG_VECTOR],
            limit=limit,
            filter=memory.RecallFilter(
                kinds=[memory.HIT_KIND_FACT], predicates=[records.FOUND_IN], entities=[prefix]
            ),
        )
        try:
            reply = yield from self._ask("memory", "Recall", request)
        except NotFound as error:
            if error.reason in ("PREDICATE_UNKNOWN", "ENTITY_UNKNOWN"):
                return []  # Nothing was ever put there.
            raise
        return [
            Hit(names.to_item(hit.fact.subject), names.to_put(hit.fact.subject), hit.score)
            for hit in reply.hits
        ]


@dataclass(frozen=True)
class Hit:
    key: Key
    put: str
    score: float


def batch(
    ops: Iterable[Op], reader: Reader, index: Index | None, *, writes: bool
) -> Plan[list[Result]]:
    """Reads see what was there before the batch; of puts to one key the last one counts."""
    ops = list(ops)
    results: list[Result] = [None] * len(ops)
    puts: dict[Key, PutOp] = {}
    gets: dict[int, GetOp] = {}
    seen: dict[Key, Put] = {}
    for place, op in enumerate(ops):
        if isinstance(op, PutOp):
            puts[op.namespace, op.key] = op
        elif isinstance(op, GetOp):
            gets[place] = op
        elif isinstance(op, SearchOp):
            items = yield from search(op, reader, index)
            results[place] = [item for _, item in items]
            seen |= {(i.namespace, i.key): put for put, i in items if op.refresh_ttl}
        elif isinstance(op, ListNamespacesOp):
            results[place] = yield from list_namespaces(op, reader)
        else:
            raise ValueError(f"{op!r} is no operation of a store")
    stored = yield from reader.stored([(op.namespace, op.key) for op in gets.values()])
    for (place, op), item in zip(gets.items(), stored, strict=True):
        if item is not None:
            results[place] = _item(item)
            if op.refresh_ttl:
                seen[item.key] = item.put
    if writes:
        yield from _write(puts, reader, index)
        aged = {key: put for key, put in seen.items() if put.ttl and key not in puts}
        yield from _refresh(aged, reader)
    elif puts:
        raise TypeError("a store at a point in time is there to be read")
    return results


# Reading.


def search(op: SearchOp, reader: Reader, index: Index | None) -> Plan[list[tuple[Put, SearchItem]]]:
    prefix = names.of_namespace(tuple(op.namespace_prefix))
    end = op.offset + op.limit
    if op.limit <= 0 or op.offset < 0:
        return []
    scored: list[tuple[Stored, float | None]] = []
    if index and op.query and op.query.strip():
        scored += yield from _ranked(op, prefix, op.query, reader, index)
    if len(scored) < end:
        # Items that no text of theirs brings up come last, as those without vectors do elsewhere.
        there = {item.key for item, _ in scored}
        count = None if op.filter else end + len(scored)
        keys = yield from reader.keys_under(prefix, count)
        for chunk in _chunks([key for key in keys if key not in there], ITEMS_MAX):
            for item in (yield from reader.stored(chunk)):
                if item is not None and filters.passes(item.value, op.filter):
                    scored.append((item, None))
            if len(scored) >= end:
                break
    return [(item.put, _search_item(item, score)) for item, score in scored[op.offset : end]]


def _ranked(
    op: SearchOp, prefix: str, query: str, reader: Reader, index: Index
) -> Plan[list[tuple[Stored, float | None]]]:
    """Asks for more hits until enough items pass: an item may have several texts."""
    vector = None
    if index.embeds:
        [numbers] = yield Embed([query], question=True)
        vector = Vector(numbers=numbers)
    end = op.offset + op.limit
    limit = min(HITS_MAX, max(32, 2 * end))
    while True:
        hits = yield from reader.ranked(prefix, query, vector, limit)
        best = {hit.key: hit for hit in reversed(hits)}
        keys = list(dict.fromkeys(hit.key for hit in hits))
        items = yield from reader.stored(keys)
        passing: list[tuple[Stored, float | None]] = [
            (item, best[item.key].score)
            for item in items
            # A text of a put that another one overtook is not what the item says now.
            if item and item.put.id == best[item.key].put and filters.passes(item.value, op.filter)
        ]
        if len(passing) >= end or len(hits) < limit or limit == HITS_MAX:
            return passing
        limit = min(HITS_MAX, 4 * limit)


def list_namespaces(op: ListNamespacesOp, reader: Reader) -> Plan[list[tuple[str, ...]]]:
    conditions = op.match_conditions or ()
    keys = yield from reader.keys_under(names.of_namespace(_common(conditions)))
    there = {namespace for namespace, _ in keys}
    matching = (ns for ns in there if all(_matches(condition, ns) for condition in conditions))
    cut = sorted({namespace[: op.max_depth] for namespace in matching})
    return cut[op.offset : op.offset + op.limit]


def _common(conditions: Sequence[MatchCondition]) -> tuple[str, ...]:
    """Labels that every match begins with."""
    for condition in conditions:
        if condition.match_type == "prefix":
            wild = condition.path.index("*") if "*" in condition.path else len(condition.path)
            return tuple(condition.path[:wild])
    return ()


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"{condition.match_type!r} is no way to match: prefix or suffix")
    if len(namespace) < len(path):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    labels = namespace[start : start + len(path)]
    return all(wanted in ("*", label) for wanted, label in zip(path, labels, strict=True))


# Writing.


def _write(puts: dict[Key, PutOp], reader: Reader, index: Index | None) -> Plan[None]:
    if not puts:
        return
    sentences = yield from _sentences(puts, index)
    # Read apart from the gets: embedding may have taken a while, and minutes count from now.
    now_reader = Reader(reader.namespace, AsOf())
    olds = yield from now_reader.found(list(puts))
    now = yield from now_reader.now()
    groups = []
    for (key, op), old in zip(puts.items(), olds, strict=True):
        if op.value is not None:
            groups.append(records.put(key, op.value, sentences[key], op.ttl, old.put, now))
        elif old.put and not old.put.deleted:
            groups.append(records.delete(key, old.put))
    yield from _transact(groups, reader.namespace)


def _sentences(puts: dict[Key, PutOp], index: Index | None) -> Plan[dict[Key, list[Sentence]]]:
    texts = {key: index.texts(op) if index else [] for key, op in puts.items()}
    whole = list(dict.fromkeys(text for each in texts.values() for text in each))
    vectors: dict[str, Sequence[float]] = {}
    if index and index.embeds and whole:
        vectors = dict(zip(whole, (yield Embed(whole)), strict=True))
    return {
        key: [Sentence(text, vectors.get(text)) for text in each] for key, each in texts.items()
    }


def _refresh(aged: dict[Key, Put], reader: Reader) -> Plan[None]:
    if not aged:
        return
    now = yield from Reader(reader.namespace, AsOf()).now()
    groups = [records.refresh(key, put, now) for key, put in aged.items()]
    try:
        yield from _transact(groups, reader.namespace)
    except FailedPrecondition:
        # One of them was put or deleted meanwhile, and the others share its transaction.
        for group in groups:
            try:
                yield from _transact([group], reader.namespace)
            except FailedPrecondition:
                continue


def _transact(groups: Iterable[list[facts.Operation]], namespace: str) -> Plan[None]:
    """As few transactions as may be. What belongs to one item stays together."""
    request = facts.TransactRequest(namespace=namespace)
    size = 0
    for group in groups:
        bytes_ = sum(operation.ByteSize() + 8 for operation in group)
        full = len(request.operations) + len(group) > OPERATIONS_MAX or size + bytes_ > BYTES_MAX
        if full and request.operations:
            yield Call("fact", "Transact", request)
            request, size = facts.TransactRequest(namespace=namespace), 0
        request.operations.extend(group)
        size += bytes_
    if request.operations:
        yield Call("fact", "Transact", request)


def _item(item: Stored) -> Item:
    namespace, key = item.key
    return Item(
        namespace=namespace,
        key=key,
        value=item.value,
        created_at=item.created,
        updated_at=item.updated,
    )


def _search_item(item: Stored, score: float | None) -> SearchItem:
    namespace, key = item.key
    return SearchItem(namespace, key, item.value, item.created, item.updated, score)


def _chunks(rows: Sequence[T], size: int) -> Iterator[list[T]]:
    rest = iter(rows)
    while chunk := list(islice(rest, size)):
        yield chunk
