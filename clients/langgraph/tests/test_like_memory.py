"""The same operations on LangGraph's own store and on this one, and the same answers.

Two things are left out of the comparison: times, which two stores cannot share, and the order of
items of different namespaces, of which the contract says nothing.
"""

import random
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from tenure_langgraph import TenureStore

LABELS = ["a", "A", "b", "용어", "é", "e\u0301", "a b", "a  b", "*", '"', "\\", "ﬁ", "ß", "ss"]
KEYS = ["k", "K", "", " ", "k/1", "1", "ｋ", "😀", "\n", "\uac00", "\u1100\u1161"]


def shown(result: Any) -> Any:
    """A result without times; items of several namespaces by namespace and key."""
    if isinstance(result, list):
        rows = [shown(row) for row in result]
        return sorted(rows, key=repr) if result and isinstance(result[0], SearchItem) else rows
    if hasattr(result, "value"):
        return result.namespace, result.key, result.value
    return result


def compare(ops: list[Op], *stores: Any) -> None:
    first, second = (store.batch(ops) for store in stores)
    for op, expected, got in zip(ops, first, second, strict=True):
        assert shown(got) == shown(expected), op


def tell(*stores: Any) -> None:
    rows = [
        (("docs",), "1", {"kind": "report", "pages": 3, "by": {"name": "Ann", "tags": ["x", "y"]}}),
        (("docs",), "2", {"kind": "note", "pages": 10, "by": {"name": "Bob", "tags": ["x"]}}),
        (("docs", "old"), "1", {"kind": "report", "pages": 7.5, "done": True}),
        (("docs", "old", "v1"), "1", {"kind": "report", "pages": 1, "none": None}),
        (("docsold",), "1", {"kind": "report", "pages": 4}),
        (("users", "ann", "v1"), "prefs", {"kind": "prefs", "pages": 0}),
    ]
    for store in stores:
        store.batch([PutOp(namespace, key, value) for namespace, key, value in rows])


FILTERS: list[dict[str, Any]] = [
    {"kind": "report"},
    {"kind": "report", "pages": {"$gt": 3}},
    {"pages": {"$gte": 3, "$lt": 10}},
    {"pages": {"$lte": 3}},
    {"kind": {"$eq": "note"}},
    {"kind": {"$ne": "report"}},
    {"by": {"name": "Ann"}},
    {"by": {"tags": ["x", "y"]}},
    {"by": {"tags": ["y", "x"]}},
    {"done": True},
    {"none": None},
    {"nothing": "x"},
    {},
]


@pytest.mark.parametrize("prefix", [(), ("docs",), ("docs", "old"), ("users",), ("doc",), ("docs", "1")])
def test_filters(store: TenureStore, prefix: tuple[str, ...]) -> None:
    memory = InMemoryStore()
    tell(memory, store)
    compare([SearchOp(prefix, filter, limit=100) for filter in FILTERS], memory, store)


def test_bad_operators_are_refused_and_missing_numbers_do_not_pass(store: TenureStore) -> None:
    tell(store)
    assert store.search(("docs",), filter={"done": {"$gt": 5}}) == []
    with pytest.raises(ValueError, match="regex"):
        store.search(("docs",), filter={"kind": {"$regex": "x"}})


def test_namespaces(store: TenureStore) -> None:
    memory = InMemoryStore()
    tell(memory, store)
    paths: list[tuple[str, ...]] = [("docs",), ("*", "old"), ("docs", "*"), ("v1",), ("*", "v1"), ("no",)]
    conditions = [(MatchCondition(kind, path),) for kind in ("prefix", "suffix") for path in paths]
    conditions += [(MatchCondition("prefix", ("users",)), MatchCondition("suffix", ("v1",)))]
    ops: list[Op] = [
        ListNamespacesOp(condition, depth, limit, offset)
        for condition in [None, *conditions]
        for depth in (None, 1, 2)
        for limit, offset in ((100, 0), (2, 0), (2, 1))
    ]
    compare(ops, memory, store)


def test_pages_hold_everything_once(store: TenureStore) -> None:
    puts = [PutOp(("p", str(n % 3)), str(n), {"n": n}) for n in range(23)]
    store.batch(puts)
    pages = [store.search(("p",), limit=5, offset=offset) for offset in range(0, 30, 5)]
    assert [len(page) for page in pages] == [5, 5, 5, 5, 3, 0]
    assert sorted(item.value["n"] for page in pages for item in page) == list(range(23))
    assert store.search(("p",), limit=0) == []


@pytest.mark.parametrize("seed", range(4))
def test_any_operations_in_any_order(store: TenureStore, seed: int) -> None:
    """Labels and keys that fold to one another, batches that write what they read."""
    chance = random.Random(seed)
    memory = InMemoryStore()
    known: list[tuple[tuple[str, ...], str]] = []

    def namespace() -> tuple[str, ...]:
        return tuple(chance.choices(LABELS, k=chance.randint(1, 3)))

    def key() -> tuple[tuple[str, ...], str]:
        if known and chance.random() < 0.6:
            return chance.choice(known)
        known.append((namespace(), chance.choice(KEYS)))
        return known[-1]

    def op() -> Op:
        kind = chance.random()
        if kind < 0.5:
            gone = chance.random() < 0.25
            return PutOp(*key(), None if gone else {"n": chance.randint(0, 9), "t": chance.choice(KEYS)})
        if kind < 0.8:
            return GetOp(*key())
        prefix = namespace()[: chance.randint(0, 2)]
        return SearchOp(prefix, chance.choice([None, {"n": {"$lt": 5}}]), limit=1_000)

    for _ in range(30):
        compare([op() for _ in range(chance.randint(1, 12))], memory, store)
    # LangGraph's store goes on listing a namespace whose items are gone, or that was only read.
    there = sorted({item.namespace for item in memory.search((), limit=10_000)})
    assert store.list_namespaces(limit=10_000) == there


async def test_the_same_without_waiting(aio: TenureStore) -> None:
    memory = InMemoryStore()
    tell(memory, aio)
    ops: list[Op] = [SearchOp(("docs",), filter, limit=100) for filter in FILTERS]
    ops += [GetOp(("docs",), "1"), GetOp(("docs",), "9"), ListNamespacesOp(max_depth=1)]
    expected = await memory.abatch(ops)
    assert list(map(shown, await aio.abatch(ops))) == list(map(shown, expected))
    await aio.aput(("docs",), "3", {"kind": "new"})
    await aio.adelete(("docs",), "1")
    assert await aio.aget(("docs",), "1") is None
    found = await aio.asearch(("docs",), filter={"kind": "new"})
    assert [item.key for item in found] == ["3"]
    assert [version.value for version in await aio.ahistory(("docs",), "3")] == [{"kind": "new"}]
