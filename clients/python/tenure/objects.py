"""What a fact points at, as a Python value.

A `str` is the name of an entity. A `bool`, `int`, `float` or `datetime` is a literal. A literal
text is marked: `Text("B-17")`.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from tenure.times import instant, to_datetime
from tenure.v1.record_pb2 import Object, Value
from tenure.v1.time_pb2 import Instant


class Text(str):
    """A literal text, where a bare `str` would be the name of an entity."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"


Target: TypeAlias = str | Text | bool | int | float | datetime | Instant | Object


def to_object(value: Target) -> Object:
    if isinstance(value, Object):
        return value
    if isinstance(value, Text):
        return Object(value=Value(text=str(value)))
    if isinstance(value, str):
        return Object(entity=value)
    if isinstance(value, bool):
        return Object(value=Value(boolean=value))
    if isinstance(value, int):
        return Object(value=Value(integer=value))
    if isinstance(value, float):
        return Object(value=Value(number=value))
    if isinstance(value, (datetime, Instant)):
        return Object(value=Value(time=instant(value)))
    raise TypeError(f"a fact cannot point at {value!r}")


def from_object(target: Object) -> str | Text | bool | int | float | datetime | Instant | None:
    """The inverse. A time outside the years 1 to 9999 stays an `Instant`."""
    if target.WhichOneof("object") == "entity":
        return target.entity
    kind = target.value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "text":
        return Text(target.value.text)
    if kind == "time":
        try:
            return to_datetime(target.value.time)
        except OverflowError:
            return target.value.time
    literal: bool | int | float = getattr(target.value, kind)
    return literal
