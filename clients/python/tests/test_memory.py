"""The helpers against a real server."""

import subprocess
import sys
from datetime import date, datetime, timezone
from pathlib import Path

import pandas
import pyarrow
import pytest

import tenure
from tenure import UNBOUNDED, Text, frames, ops
from tenure.v1.fact_service_pb2 import ListFactsRequest
from tenure.v1.record_pb2 import Rectangle

EXAMPLES = Path(__file__).parents[1] / "examples"


def tell(client: tenure.Client) -> tuple[int, int]:
    first = client.transact(
        [
            ops.declare("works_at", one=True),
            ops.assert_("Ann", "works_at", "Acme", from_=date(2020, 1, 1)),
            ops.assert_("Acme", "part_of", "Holding", from_=UNBOUNDED),
            ops.assert_("Ann", "badge", Text("B-17"), from_="2021", to="2022"),
        ]
    )
    second = client.transact([ops.assert_("Ann", "works_at", "Zeno", from_="2022")])
    return first.tx, second.tx


def objects(rows: object) -> list[object]:
    return [tenure.from_object(row.object) for row in rows]  # type: ignore[attr-defined]


def test_both_clocks(client: tenure.Client) -> None:
    first, second = tell(client)
    assert objects(client.facts("Ann", "works_at", valid="2023")) == ["Zeno"]
    assert objects(client.facts("Ann", "works_at", valid="2023", known=first)) == ["Acme"]
    noon = datetime(2021, 6, 1, 12, tzinfo=timezone.utc)
    assert objects(client.facts("Ann", valid=noon)) == ["Acme", Text("B-17")]
    assert objects(client.facts("Ann", "badge", valid="2021", edge="end")) == [Text("B-17")]
    assert objects(client.facts("Ann", "badge", overlapping=("2021-12", None))) == [Text("B-17")]
    diff = client.diff(tenure.as_of("2023", first), tenure.as_of("2023", second))
    assert [(c.before.object.entity, c.after.object.entity) for c in diff.changed] == [("Acme", "Zeno")]
    steps = client.traverse("Ann", hops=2, valid="2020-06").steps
    assert [step.rectangle.object.entity for step in steps] == ["Acme", "Holding"]


def test_a_basis_repeats_an_answer(client: tenure.Client) -> None:
    tell(client)
    rows = client.facts("Ann", valid="2023")
    basis = rows.basis
    before = list(rows)
    client.transact([ops.assert_("Ann", "works_at", "Lakeside", from_="2022-06")])
    assert list(client.facts("Ann", valid=basis)) == before
    assert list(client.facts("Ann", valid="2023")) != before


def test_pages_are_followed(client: tenure.Client) -> None:
    client.import_facts((ops.assert_("hub", "knows", f"n{n}", from_="2020") for n in range(25)), batch=10)
    request = ListFactsRequest(namespace=client.namespace, page_size=10)
    sizes = [len(page.rectangles) for page in tenure.pages(client.fact.ListFacts, request)]
    assert sizes == [10, 10, 5] and not request.page_token
    assert len(list(client.facts("hub"))) == 25


def test_an_import_counts_and_names_its_rows(client: tenure.Client) -> None:
    rows = [ops.assert_(f"s{n}", "knows", "o", from_="2020") for n in range(10_050)]
    rows[10_020] = ops.assert_("bad", "knows", "o", from_="2020-13")
    done = client.import_facts(rows)
    assert (done.applied, done.rejected) == (10_049, 1)
    assert [row.row for row in done.rejected_rows] == [10_020]
    assert done.rejected_rows[0].violations[0].reason == "DATE_INVALID"
    again = client.import_facts(rows)
    assert (again.applied, again.replayed) == (0, 10_049)


async def test_the_same_without_waiting(aio: tenure.aio.Client) -> None:
    first = await aio.transact(
        [
            ops.declare("works_at", one=True),
            ops.assert_("Ann", "works_at", "Acme", from_="2020"),
        ]
    )
    done = await aio.import_facts([ops.assert_("Ann", "works_at", "Zeno", from_="2022")])
    rows = aio.facts("Ann", valid="2023")
    basis = await rows.basis()
    assert [row.object.entity async for row in rows] == ["Zeno"]
    assert [row.object.entity async for row in aio.facts("Ann", valid="2023", known=first.tx)] == ["Acme"]
    assert [row.object.entity async for row in aio.facts("Ann", valid=basis)] == ["Zeno"]
    assert len([row async for row in aio.timeline("Ann", "works_at")]) == 2
    diff = await aio.diff(tenure.as_of("2023", first.tx), tenure.as_of("2023", done.tx))
    assert len(diff.changed) == 1
    assert len((await aio.traverse("Ann", valid="2021")).steps) == 1


def test_tables_hold_every_instant(client: tenure.Client) -> None:
    client.transact(
        [
            ops.assert_("Caesar", "lives", "Rome", from_="-0099", to="-0043-03-15"),
            ops.assert_("Ann", "lives", "Seoul", from_="2020"),
            ops.assert_("Ann", "height", 1.7, from_="2020"),
        ]
    )
    rows = list(client.facts(overlapping=(None, None)))
    assert len(rows) == 3
    table = frames.to_arrow(rows)
    assert table.schema.field("valid_from").type == pyarrow.timestamp("us", tz="UTC")
    micros = table["valid_from"].cast("int64").to_pylist()
    assert micros == [row.valid_from.unix_micros for row in rows]
    assert table["valid_to"].null_count == 2
    assert table["object_kind"].to_pylist() == ["entity", "entity", "number"]
    frame = frames.to_pandas(rows)
    assert str(frame.dtypes["valid_from"]) == "datetime64[us, UTC]"
    assert frame["valid_from"].astype("int64").tolist() == micros
    assert frame["valid_to"].isna().tolist() == [False, True, True]
    assert frame.loc[1, "valid_from"] == pandas.Timestamp("2020-01-01", tz="UTC")
    assert frame["tx_to"].isna().all() and frame["tx_from"].tolist() == [1, 1, 1]


def test_tables_may_be_empty() -> None:
    none: list[Rectangle] = []
    assert frames.to_arrow(none).num_rows == 0
    assert list(frames.to_pandas(none).columns) == frames.to_arrow(none).column_names


@pytest.mark.parametrize(
    "example, told",
    [
        ("quickstart.py", ["in 2022: Ann works_at Acme"]),
        (
            "questions.py",
            [
                "hop 1: Ann works_at Acme",
                "hop 2: Acme part_of Holding",
                "path: Acme > Holding",
                "true: Zeno",
                "believed: Acme",
                "changed: Acme to Zeno",
                "recalled: I have been at Zeno since 2022.",
            ],
        ),
    ],
)
def test_examples_run(server: str, example: str, told: list[str]) -> None:
    path = EXAMPLES / example
    run = subprocess.run([sys.executable, path], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == told


def test_the_quickstart_is_short() -> None:
    assert len((EXAMPLES / "quickstart.py").read_text().splitlines()) < 30
