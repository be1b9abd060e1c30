from datetime import date, datetime, timedelta, timezone

import pytest

import tenure
from tenure import UNBOUNDED, Text
from tenure.times import valid_point
from tenure.v1.time_pb2 import Basis, Bound, Instant

SEOUL = timezone(timedelta(hours=9))

INSTANTS = [
    (0, "1970-01-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
    (-62_135_596_800_000_001, "0000-12-31T23:59:59.999999Z"),
    (-63_549_360_000_000_000, "-0044-03-15T00:00:00Z"),
    (253_402_300_800_000_000, "+10000-01-01T00:00:00Z"),
    (2**63 - 2, "+294247-01-10T04:00:54.775806Z"),
    (-(2**63) + 1, "-290308-12-21T19:59:05.224193Z"),
]


@pytest.mark.parametrize("micros, text", INSTANTS)
def test_instants_have_a_text_in_every_year(micros: int, text: str) -> None:
    assert tenure.to_text(Instant(unix_micros=micros)) == text


@pytest.mark.parametrize("micros, text", INSTANTS)
def test_instants_are_datetimes_where_python_has_them(micros: int, text: str) -> None:
    value = Instant(unix_micros=micros)
    if text[0] in "+-" or text.startswith("0000"):
        with pytest.raises(OverflowError):
            tenure.to_datetime(value)
    else:
        assert tenure.instant(tenure.to_datetime(value)) == value


@pytest.mark.parametrize(
    "value, bound",
    [
        ("2021-03", Bound(date={"text": "2021-03"})),
        (date(2021, 3, 5), Bound(date={"text": "2021-03-05"})),
        (datetime(2021, 3, 5, 10), Bound(date={"text": "2021-03-05T10:00:00"})),
        (datetime(2021, 3, 5, 9, tzinfo=SEOUL), Bound(instant={"unix_micros": 1_614_902_400_000_000})),
        (Instant(unix_micros=7), Bound(instant={"unix_micros": 7})),
        (UNBOUNDED, Bound(unbounded={})),
        (None, None),
    ],
)
def test_missing_unbounded_and_dates_are_different_bounds(value: object, bound: Bound) -> None:
    assert tenure.bound(value) == bound  # type: ignore[arg-type]


def test_a_number_is_a_transaction_and_no_date() -> None:
    assert tenure.as_of(known=17).known.tx == 17
    with pytest.raises(TypeError):
        valid_point(17)  # type: ignore[arg-type]


def test_a_basis_says_both_times() -> None:
    basis = Basis(valid_time=Instant(unix_micros=5), tx=3)
    point = tenure.as_of(basis)
    assert (point.valid.instant.unix_micros, point.known.tx) == (5, 3)
    with pytest.raises(TypeError):
        tenure.as_of(basis, 4)


@pytest.mark.parametrize("value", ["Acme", Text("B-17"), True, 10, 10.0, datetime(1, 1, 1, tzinfo=timezone.utc)])
def test_objects_come_back_as_they_went(value: object) -> None:
    back = tenure.from_object(tenure.to_object(value))  # type: ignore[arg-type]
    assert back == value and type(back) is type(value)
