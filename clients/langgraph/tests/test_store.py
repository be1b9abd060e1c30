"""What LangGraph's own store has not: minutes to live, search in words by a server, the past."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import pytest
from langgraph.store.base import GetOp, PutOp

from tenure_langgraph import TenureStore, names

Make = Callable[..., TenureStore]
HOME = ("users", "ann")
#: Minutes: long enough for a few calls of a slow machine.
SHORT = 2 / 60


def test_names_do_not_meet() -> None:
    labels = ["a", "A", "a b", "a  b", "é", "e\u0301", "ß", "ss", "ﬁ", "fi", "\uac00", "\u1100\u1161", '["a"]']
    keys = [((one, two), key) for one in labels for two in labels for key in ("k", "K", '","')]
    folded = {names.of_item(*key).casefold() for key in keys}
    assert len(folded) == len(keys)
    assert [names.to_item(names.of_item(*key)) for key in keys] == keys
    assert names.of_namespace(("users", "용어")) == '["users","용어"]'
    with pytest.raises(ValueError, match="1024"):
        names.of_item(("x" * 1_000,), "long enough for a name")


def test_times(store: TenureStore) -> None:
    start = datetime.now(timezone.utc)
    store.put(HOME, "k", {"v": 1})
    first = store.get(HOME, "k")
    store.put(HOME, "k", {"v": 1})
    second = store.get(HOME, "k")
    assert first and second and start <= first.created_at == first.updated_at
    assert second.created_at == first.created_at and second.updated_at > first.updated_at
    store.delete(HOME, "k")
    store.put(HOME, "k", {"v": 1})
    third = store.get(HOME, "k")
    assert third and third.created_at == third.updated_at > second.updated_at


@pytest.mark.parametrize("length", [16_300, 16_384, 100_000, 900_000])
def test_values_of_any_size(store: TenureStore, length: int) -> None:
    value = {"text": "가é" * (length // 6), "end": ["\ud800", 1e300, None]}
    store.put(HOME, "k", value)
    store.put(HOME, "small", {"v": 1})
    item = store.get(HOME, "k")
    assert item and item.value == value
    assert len(store.search(HOME)) == 2
    store.put(HOME, "k", {"v": 2})
    assert [version.value for version in store.history(HOME, "k")] == [value, {"v": 2}]


def test_values_have_a_bound(store: TenureStore) -> None:
    with pytest.raises(ValueError, match="1048576"):
        store.put(HOME, "k", {"text": "x" * 1_100_000})
    with pytest.raises(TypeError):
        store.put(HOME, "k", {"text": object()})
    assert store.get(HOME, "k") is None


def test_an_item_is_gone_when_its_time_is_over(make: Make) -> None:
    store = make(index={"fields": ["text"]})
    store.put(HOME, "k", {"text": "green tea"}, ttl=SHORT)
    store.put(HOME, "stays", {"text": "black coffee"})
    assert store.get(HOME, "k", refresh_ttl=False)
    assert len(store.search(HOME, query="tea", refresh_ttl=False)) == 2
    time.sleep(SHORT * 60)
    assert store.get(HOME, "k") is None
    assert [item.key for item in store.search(HOME, query="tea")] == ["stays"]
    store.delete(HOME, "stays")
    assert store.list_namespaces() == []
    [version] = store.history(HOME, "k")
    assert version.valid_to and (version.valid_to - version.valid_from).total_seconds() < SHORT * 60 + 1
    store.put(HOME, "k", {"text": "again"})
    assert store.get(HOME, "k")


@pytest.mark.parametrize("read", ["get", "search", "query"])
def test_a_read_begins_the_minutes_anew(make: Make, read: str) -> None:
    store = make(index={}, ttl={"default_ttl": 5, "refresh_on_read": True})
    store.put(HOME, "k", {"text": "green tea"})

    def end() -> datetime:
        [version] = store.history(HOME, "k")
        assert version.valid_to
        return version.valid_to

    before = end()
    reads = {
        "get": lambda refresh: store.get(HOME, "k", refresh_ttl=refresh),
        "search": lambda refresh: store.search(HOME, refresh_ttl=refresh),
        "query": lambda refresh: store.search(HOME, query="tea", refresh_ttl=refresh),
    }
    assert reads[read](False) and end() == before
    assert reads[read](None) and end() > before
    item = store.get(HOME, "k", refresh_ttl=False)
    assert item and item.created_at == item.updated_at


def test_a_put_gives_new_minutes(store: TenureStore) -> None:
    ends = []
    for ttl in (60.0, 5.0, 90.0, None, 1.0):
        store.put(HOME, "k", {"ttl": ttl}, ttl=ttl)
        ends.append(store.history(HOME, "k")[-1].valid_to)
    now = datetime.now(timezone.utc)
    minutes = [None if end is None else round((end - now).total_seconds() / 60) for end in ends]
    assert minutes == [60, 5, 90, None, 1]
    with pytest.raises(ValueError, match="minutes"):
        store.put(HOME, "k", {}, ttl=-1)


def test_what_is_deleted_is_not_refreshed(store: TenureStore) -> None:
    store.put(HOME, "k", {"v": 1}, ttl=5)
    store.put(HOME, "other", {"v": 1}, ttl=5)
    read = store.search

    def all_at_once(n: int) -> None:
        if n % 4 == 3:
            store.put(HOME, "k", {"v": n}, ttl=5)
        elif n % 4 == 1:
            store.delete(HOME, "k")
        else:
            read(HOME)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(all_at_once, range(40)))
    store.delete(HOME, "k")
    assert [item.key for item in store.search(HOME)] == ["other"]


def test_words_find_items(make: Make) -> None:
    store = make(index={"fields": ["text", "notes[*].said"]})
    store.put(HOME, "tea", {"text": "Ann drinks green tea", "notes": [{"said": "kyoto in spring"}]})
    store.put(HOME, "train", {"text": "the train to Busan leaves at nine"})
    store.put(HOME, "hidden", {"text": "tea tea tea"}, index=False)
    store.put(("users", "bob"), "tea", {"text": "Bob drinks green tea"})
    found = store.search(HOME, query="green tea")
    assert [item.key for item in found] == ["tea", "train", "hidden"]
    assert found[0].score and found[2].score is None
    assert [item.key for item in store.search(HOME, query="Kyoto", limit=1)] == ["tea"]
    by = {item.namespace for item in store.search(("users",), query="green tea", limit=2)}
    assert by == {HOME, ("users", "bob")}
    assert [i.key for i in store.search(HOME, query="tea", filter={"text": {"$ne": "tea tea tea"}}, limit=9)] == ["tea", "train"]
    paged = [store.search(HOME, query="green tea", limit=1, offset=n)[0].key for n in range(3)]
    assert paged == ["tea", "train", "hidden"]
    assert store.search(("nobody",), query="tea") == []


def test_what_an_item_no_longer_says_does_not_find_it(make: Make) -> None:
    store = make(index={"fields": ["text"]})
    store.put(HOME, "drink", {"text": "green tea"})
    before = datetime.now(timezone.utc)
    store.put(HOME, "drink", {"text": "black coffee"})
    store.put(HOME, "food", {"text": "a bowl of rice with tea"})
    assert [item.key for item in store.search(HOME, query="tea", limit=1)] == ["food"]
    [past] = store.at(before).search(HOME, query="tea")
    assert (past.value, past.score is not None) == ({"text": "green tea"}, True)
    store.delete(HOME, "food")
    assert [item.key for item in store.search(HOME, query="tea")] == ["drink"]


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Counts letters: enough to tell what is near."""
    return [[1.0 + text.lower().count(letter) for letter in "abcdefgh"] for text in texts]


async def test_vectors_of_ones_own(make: Make) -> None:
    with pytest.raises(ValueError, match="dims"):
        make(index={"embed": embed})
    store = make(index={"dims": 8, "embed": embed, "fields": ["text"]})
    store.put(HOME, "a", {"text": "aaaa aaa"})
    await store.aput(HOME, "h", {"text": "hhhh hhh"})
    assert [item.key for item in store.search(HOME, query="ahhhh")] == ["h", "a"]
    assert [item.key for item in await store.asearch(HOME, query="aaah")] == ["a", "h"]


def test_the_past(store: TenureStore) -> None:
    store.put(HOME, "k", {"v": 1})
    between = datetime.now(timezone.utc)
    store.put(HOME, "k", {"v": 2})
    store.delete(HOME, "k")
    store.put(("later",), "k", {"v": 3})
    past = store.at(between)
    item = past.get(HOME, "k")
    assert item and item.value == {"v": 1}
    assert past.list_namespaces() == [HOME] and len(past.search(())) == 1
    assert store.list_namespaces() == [("later",)]
    with pytest.raises(TypeError, match="read"):
        past.put(HOME, "k", {"v": 9})
    versions = store.history(HOME, "k")
    assert [version.value["v"] for version in versions] == [1, 2]
    assert versions[0].valid_to == versions[1].valid_from and versions[1].valid_to
    audit = store.history(HOME, "k", audit=True)
    assert [(v.value["v"], v.valid_to is None, v.known_to is None) for v in audit] == [
        (1, True, False), (1, False, True), (2, True, False), (2, False, True)]  # fmt: skip
    first = audit[0]
    known = store.at(known=first.tx).get(HOME, "k")
    assert known and known.value == {"v": 1}
    assert [v.value["v"] for v in store.history(HOME, "k", known=first.tx)] == [1]


def test_large_batches(store: TenureStore) -> None:
    store.batch([PutOp(("big",), str(n), {"n": n, "t": "x" * 3_000}) for n in range(1_200)])
    items = store.batch([GetOp(("big",), str(n)) for n in range(1_200)])
    assert [item.value["n"] for item in items] == list(range(1_200))  # type: ignore[union-attr]
    last = store.search(("big",), filter={"n": 1_199})
    assert [item.key for item in last] == ["1199"]
