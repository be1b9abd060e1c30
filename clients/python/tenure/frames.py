"""Facts as tables.

`to_arrow` needs the extra `arrow`, `to_pandas` the extra `pandas`. Times are microseconds in UTC in
both: `timestamp[us, UTC]` holds every instant there is, where pandas' nanoseconds end in 1677 and
2262. An absent bound is null (`NaT`). What is outside the years 1 to 9999 stays exact in the column
but has no Python `datetime`, so that single values cannot be taken out or printed there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tenure.objects import Text, from_object
from tenure.times import to_text
from tenure.v1.record_pb2 import CloseReason, Object, Rectangle
from tenure.v1.time_pb2 import Instant

if TYPE_CHECKING:
    import pandas
    import pyarrow

_TIMES = ("valid_from", "valid_to", "tx_from_time", "tx_to_time")
_CLOSE_REASON = "CLOSE_REASON_"


def to_arrow(rows: Iterable[Rectangle]) -> pyarrow.Table:
    """Rectangles as an Arrow table."""
    import pyarrow

    time = pyarrow.timestamp("us", tz="UTC")
    kinds: dict[str, Any] = dict.fromkeys(_TIMES, time)
    kinds |= {"tx_from": pyarrow.uint64(), "tx_to": pyarrow.uint64()}
    columns = _columns(rows)
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in columns])
    return pyarrow.table(columns, schema=schema)


def to_pandas(rows: Iterable[Rectangle]) -> pandas.DataFrame:
    """Rectangles as a data frame."""
    import pandas

    columns = _columns(rows)
    series: dict[str, Any] = {}
    for name, values in columns.items():
        if name in _TIMES:
            # Integers without a unit on the way: anything else would pass through nanoseconds.
            missing = pandas.Series([value is None for value in values], dtype="bool")
            whole = pandas.Series([value or 0 for value in values], dtype="int64")
            times = whole.to_numpy().view("datetime64[us]")
            series[name] = pandas.Series(times).mask(missing).dt.tz_localize("UTC")
        elif name in ("tx_from", "tx_to"):
            series[name] = pandas.Series(values, dtype="UInt64")
        else:
            series[name] = pandas.Series(values, dtype="object")
    return pandas.DataFrame(series)


def _columns(rows: Iterable[Rectangle]) -> dict[str, list[Any]]:
    table = [_row(row) for row in rows]
    names = _row(Rectangle()).keys()
    return {name: [row[name] for row in table] for name in names}


def _row(row: Rectangle) -> dict[str, Any]:
    return {
        "fact_id": row.fact_id,
        "subject": row.subject,
        "predicate": row.predicate,
        "object": _text(row.object),
        # What kind of object the text stands for: "entity", or a kind of literal.
        "object_kind": _kind(row.object),
        "valid_from": row.valid_from.unix_micros if row.HasField("valid_from") else None,
        "valid_to": row.valid_to.unix_micros if row.HasField("valid_to") else None,
        "tx_from": row.tx_from,
        "tx_to": row.tx_to if row.HasField("tx_to") else None,
        "tx_from_time": row.tx_from_time.unix_micros if row.HasField("tx_from_time") else None,
        "tx_to_time": row.tx_to_time.unix_micros if row.HasField("tx_to_time") else None,
        "close_reason": _reason(row) if row.HasField("tx_to") else None,
    }


def _reason(row: Rectangle) -> str:
    known = row.close_reason in CloseReason.values()
    return CloseReason.Name(row.close_reason).removeprefix(_CLOSE_REASON) if known else "UNSPECIFIED"


def _kind(target: Object) -> str:
    kind = target.WhichOneof("object")
    return (target.value.WhichOneof("value") if kind == "value" else kind) or ""


def _text(target: Object) -> str:
    if target.value.WhichOneof("value") == "time":
        return to_text(Instant(unix_micros=target.value.time.unix_micros))
    value = from_object(target)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if not isinstance(value, Text) else value
