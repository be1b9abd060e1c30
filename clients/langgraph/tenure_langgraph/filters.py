"""Which values a filter of a search lets through."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def passes(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    return all(_matches(value.get(key), wanted) for key, wanted in (filter or {}).items())


def _matches(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_holds(value, sign, operand) for sign, operand in wanted.items())
        return isinstance(value, dict) and all(
            _matches(value.get(key), inner) for key, inner in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(map(_matches, value, wanted))
        )
    return bool(value == wanted)


def _holds(value: Any, sign: str, operand: Any) -> bool:
    if sign == "$eq":
        return bool(value == operand)
    if sign == "$ne":
        return bool(value != operand)
    if sign not in _ORDERED:
        raise ValueError(f"{sign} is no operator: $eq, $ne, $gt, $gte, $lt, $lte are")
    try:
        return _ORDERED[sign](float(value), float(operand))
    except (TypeError, ValueError):
        # What is missing or no number is not greater or less than anything.
        return False
