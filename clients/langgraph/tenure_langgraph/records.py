"""An item as facts, and back.

    item --put-->      {"id", "ttl", "parts", "texts"}   one at a time
    item --value-->    its value as JSON                 one at a time
    item --in-->       its namespace, and each above it
    text --found in--> the same, with the text as the sentence it is searched by

An item is there while it is `in` its namespace: that is what a delete ends and a ttl bounds. The
other two stand until the next put, so that taking an item out needs no knowledge of what it was.
A text is an entity of its own for each put, so that what an item no longer says finds nothing.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tenure import UNBOUNDED, Text, ops
from tenure.times import to_datetime
from tenure.v1.fact_service_pb2 import FactPattern, Operation
from tenure.v1.record_pb2 import Object, Rectangle, Vector
from tenure.v1.time_pb2 import Instant
from tenure_langgraph import names

PUT, VALUE, IN, FOUND_IN = "put", "value", "in", "found in"

#: Bytes of one text value, and of the sentence of a fact.
TEXT_BYTES_MAX = 16_384
#: A value takes as many facts as it needs, up to a mebibyte.
PARTS_MAX = 64
#: Texts one item can be found by.
TEXTS_MAX = 256

_SURROGATE = re.compile("[\ud800-\udfff]")

Key = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class Put:
    """What is noted of one put. `deleted` says that the item was taken out."""

    id: str
    ttl: float | None = None
    parts: int = 1
    texts: int = 0
    deleted: bool = False

    def __str__(self) -> str:
        return json.dumps({"id": self.id, "ttl": self.ttl, "parts": self.parts,
                           "texts": self.texts, "deleted": self.deleted})  # fmt: skip

    @staticmethod
    def read(text: str) -> Put:
        return Put(**json.loads(text))


@dataclass(frozen=True)
class Sentence:
    """What an item is found by, with a vector where the store embeds."""

    text: str
    vector: Sequence[float] | None = None


def declare() -> list[Operation]:
    return [ops.declare(PUT, one=True), ops.declare(VALUE, one=True)]


def part(number: int) -> str:
    """The predicate of a part of a value, counted from 0."""
    return VALUE if number == 0 else f"{VALUE} {number + 1}"


def put(
    key: Key,
    value: Mapping[str, Any],
    sentences: Sequence[Sentence],
    ttl: float | None,
    old: Put | None,
    now: Instant,
) -> list[Operation]:
    """Everything that makes `value` the item's, from the time of the transaction on."""
    if ttl is not None and ttl <= 0:
        raise ValueError(f"{key}: an item cannot live {ttl} minutes")
    parts = _split(json.dumps(dict(value), ensure_ascii=False))
    if len(sentences) > TEXTS_MAX:
        raise ValueError(f"{key}: {len(sentences)} texts to find it by, {TEXTS_MAX} at most")
    new = Put(uuid.uuid4().hex, ttl, len(parts), len(sentences))
    name = names.of_item(*key)
    written = [ops.declare(part(number), one=True) for number in range(1, len(parts))]
    written.append(ops.assert_(name, PUT, Text(new)))
    for number, text in enumerate(parts):
        written.append(ops.assert_(name, part(number), Text(text)))
    written += _forget(key, old)
    return written + _hold(key, new, sentences, now)


def delete(key: Key, old: Put) -> list[Operation]:
    gone = Put(uuid.uuid4().hex, deleted=True)
    name = names.of_item(*key)
    ends = [ops.end(name, IN, above) for above in names.prefixes(key[0])]
    return [ops.assert_(name, PUT, Text(gone)), *ends, *_forget(key, old)]


def refresh(key: Key, put: Put, now: Instant) -> list[Operation]:
    """Begins the item's minutes anew, unless it was put or deleted since: then none of it holds."""
    name = names.of_item(*key)
    unchanged = ops.supersede(name, PUT, Text(put), old_object=Text(put), expect_held=True)
    return [unchanged, *_hold(key, put, (), now)]


def _hold(
    key: Key, put: Put, sentences: Sequence[Sentence], now: Instant
) -> list[Operation]:
    held = []
    over = None if put.ttl is None else _later(now, put.ttl)
    facts = [(names.of_item(*key), IN, None)]
    for index in range(put.texts):
        said = _evidence(sentences[index]) if sentences else None
        facts.append((names.of_text(*key, put.id, index), FOUND_IN, said))
    for above in names.prefixes(key[0]):
        for subject, predicate, said in facts:
            to = UNBOUNDED if over is None else over
            held.append(ops.assert_(subject, predicate, above, to=to, evidence=said))
            if over is not None:
                # Cuts off what an earlier put said of the time after.
                held.append(ops.end(subject, predicate, above, at=over))
    return held


def _forget(key: Key, old: Put | None) -> list[Operation]:
    """Ends what the item was found by before."""
    return [
        ops.end(names.of_text(*key, old.id, index), FOUND_IN, above)
        for index in range(old.texts if old else 0)
        for above in names.prefixes(key[0])
        if old
    ]


def _evidence(sentence: Sentence) -> Any:
    said = ops.evidence(statement=_cut(sentence.text))
    if sentence.vector is not None:
        said.vector.CopyFrom(Vector(numbers=sentence.vector))
    return said


def _later(now: Instant, minutes: float) -> Instant:
    return Instant(unix_micros=now.unix_micros + max(1, round(minutes * 60_000_000)))


def _cut(text: str) -> str:
    return text[:TEXT_BYTES_MAX].encode()[:TEXT_BYTES_MAX].decode(errors="ignore")


def _split(text: str) -> list[str]:
    # Half of a surrogate pair is no text, but JSON can write it.
    text = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    parts: list[str] = []
    while text and len(parts) <= PARTS_MAX:
        parts.append(_cut(text))
        text = text[len(parts[-1]) :]
    if len(parts) > PARTS_MAX:
        raise ValueError(f"a value takes {PARTS_MAX * TEXT_BYTES_MAX} bytes at most as JSON")
    return parts


# Reading.


@dataclass(frozen=True)
class Stored:
    """An item that is there, as far as it was read."""

    key: Key
    put: Put
    value: dict[str, Any]
    created: datetime
    updated: datetime


@dataclass(frozen=True)
class Found:
    """What the patterns of one item gave. `first` is the first part of its value."""

    key: Key
    put: Put | None = None
    first: str = ""
    updated: Instant | None = None
    created: Instant | None = None

    @property
    def is_there(self) -> bool:
        return self.put is not None and not self.put.deleted and self.created is not None

    def stored(self, rest: str = "") -> Stored:
        assert self.put and self.created and self.updated, "only items that are there are shown"
        value = json.loads(self.first + rest)
        created, updated = to_datetime(self.created), to_datetime(self.updated)
        return Stored(self.key, self.put, value, created, updated)


def patterns(key: Key) -> list[FactPattern]:
    """Two patterns, whose matches `found` reads."""
    name, home = names.of_item(*key), names.of_namespace(key[0])
    return [
        FactPattern(subject=name, predicates=[PUT, VALUE]),
        FactPattern(subject=name, predicates=[IN], object=Object(entity=home)),
    ]


def found(key: Key, said: Sequence[Rectangle], held: Sequence[Rectangle]) -> Found:
    item = Found(key, created=held[0].valid_from if held else None)
    for row in said:
        if row.predicate == PUT:
            put = Put.read(row.object.value.text)
            item = replace(item, put=put, updated=row.valid_from)
        else:
            item = replace(item, first=row.object.value.text)
    return item


