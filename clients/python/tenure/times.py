"""Python's dates as those of the contract, and back.

A text or a `date` is sent as it is written and resolved by the server, in the zone given or in that
of the namespace. A `datetime` with a zone is an instant; one without is a local time and is sent as
it is written too. Instants count microseconds and reach further than Python's years 1 to 9999.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any, Final, TypeAlias

from tenure.v1 import time_pb2
from tenure.v1.time_pb2 import (
    EDGE_END,
    EDGE_START,
    EDGE_UNSPECIFIED,
    AsOf,
    Basis,
    Bound,
    CivilDate,
    Edge,
    Instant,
    Range,
    TransactionPoint,
    ValidPoint,
)


class Unbounded:
    """The type of `UNBOUNDED`."""

    def __repr__(self) -> str:
        return "UNBOUNDED"


#: In a start: the start is unknown. In an end: it never ends, and that is known. `None` says that
#: nothing was said.
UNBOUNDED: Final = Unbounded()

Date: TypeAlias = str | date | datetime | CivilDate
Moment: TypeAlias = str | date | datetime | CivilDate | Instant
End: TypeAlias = str | date | datetime | CivilDate | Instant | Unbounded | None

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000
_ERA_DAYS = 146_097


def named(**values: Any) -> dict[str, Any]:
    """Arguments for fields whose names Python keeps for itself: `from_` is `from`."""
    return {name.removesuffix("_"): value for name, value in values.items()}


def instant(value: datetime | Instant) -> Instant:
    """An exact instant. A `datetime` must have a zone."""
    if isinstance(value, Instant):
        return value
    if value.tzinfo is None:
        raise ValueError("a datetime without a zone is no instant; give it a tzinfo")
    return Instant(unix_micros=(value - _EPOCH) // _MICROSECOND)


def to_datetime(value: Instant) -> datetime:
    """The instant in UTC. Raises `OverflowError` outside the years 1 to 9999."""
    try:
        return _EPOCH + value.unix_micros * _MICROSECOND
    except OverflowError:
        raise OverflowError(f"{to_text(value)} is no datetime: its years are 1 to 9999") from None


def to_text(value: Instant) -> str:
    """The instant in UTC as ISO 8601, in any year: `2021-03-05T00:00:00Z`, `-0044-03-15T…`."""
    days, of_day = divmod(value.unix_micros, _DAY)
    # The calendar repeats after 400 years, so the date is looked up in an era Python knows.
    eras, days = divmod(days, _ERA_DAYS)
    known = _EPOCH + timedelta(days=days, microseconds=of_day)
    year = known.year + 400 * eras
    sign = "-" if year < 0 else "+" if year > 9_999 else ""
    fraction = f".{known.microsecond:06}" if known.microsecond else ""
    return f"{sign}{abs(year):04}-{known:%m-%dT%H:%M:%S}{fraction}Z"


def civil(value: Date, zone: str = "") -> CivilDate:
    """A date as people write it."""
    if isinstance(value, CivilDate):
        return value
    if isinstance(value, str):
        return CivilDate(text=value, zone=zone)
    return CivilDate(text=value.isoformat(), zone=zone)


def bound(value: End, zone: str = "") -> Bound | None:
    """One end of an interval. `None` stays absent."""
    if value is None:
        return None
    if isinstance(value, Unbounded):
        return Bound(unbounded=time_pb2.Unbounded())
    exact = _exact(value)
    return Bound(instant=exact) if exact else Bound(date=civil(value, zone))  # type: ignore[arg-type]


def span(from_: End = None, to: End = None, zone: str = "") -> Range:
    """A half-open range of valid time."""
    return Range(**named(from_=bound(from_, zone)), to=bound(to, zone))


def valid_point(value: Moment | None, *, edge: str = "", zone: str = "") -> ValidPoint | None:
    """A point of valid time. `None`: now."""
    if value is None:
        return None
    exact = _exact(value)
    if exact:
        return ValidPoint(instant=exact)
    return ValidPoint(date=civil(value, zone), edge=_edge(edge))  # type: ignore[arg-type]


def known_point(
    value: int | Moment | None, *, edge: str = "", zone: str = ""
) -> TransactionPoint | None:
    """A point of transaction time; a number is a transaction. `None`: the last commit."""
    if value is None:
        return None
    if isinstance(value, int):
        return TransactionPoint(tx=value)
    exact = _exact(value)
    if exact:
        return TransactionPoint(instant=exact)
    return TransactionPoint(date=civil(value, zone), edge=_edge(edge))  # type: ignore[arg-type]


def as_of(
    valid: Moment | Basis | None = None,
    known: int | Moment | None = None,
    *,
    edge: str = "",
    zone: str = "",
) -> AsOf:
    """Where in both times to answer. The basis of an answer repeats that answer."""
    if isinstance(valid, Basis):
        if known is not None:
            raise TypeError("a basis says both times; leave out `known`")
        return AsOf(
            valid=ValidPoint(instant=valid.valid_time), known=TransactionPoint(tx=valid.tx)
        )
    return AsOf(
        valid=valid_point(valid, edge=edge, zone=zone),
        known=known_point(known, edge=edge, zone=zone),
    )


def _exact(value: object) -> Instant | None:
    if isinstance(value, Instant):
        return value
    if isinstance(value, datetime) and value.tzinfo is not None:
        return instant(value)
    if isinstance(value, (str, date, CivilDate)):
        return None
    raise TypeError(f"{value!r} is no date; a text, date, datetime or Instant is")


def _edge(word: str) -> Edge:
    edges = {"": EDGE_UNSPECIFIED, "start": EDGE_START, "end": EDGE_END}
    if word not in edges:
        raise ValueError(f'{word!r} is no edge: "start" or "end"')
    return edges[word]
