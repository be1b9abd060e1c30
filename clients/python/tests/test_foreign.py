"""Exports of other memories, imported and asked on both clocks."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

import tenure
from tenure import foreign

ANN, ACME, ZENO = "u-ann", "u-acme", "u-zeno"


def edge(target: str, created: str, valid: str | None, **more: Any) -> dict[str, Any]:
    return {
        "uuid": f"{target} {created}",
        "group_id": "people",
        "source_node_uuid": ANN,
        "target_node_uuid": target,
        "name": "WORKS_AT",
        "fact": f"Ann works at {target}",
        "episodes": ["letter"],
        "created_at": created,
        "valid_at": valid,
        "invalid_at": None,
        "expired_at": None,
    } | more


NODES = [
    {"uuid": ANN, "name": "Ann", "group_id": "people"},
    {"uuid": ACME, "name": "Acme", "group_id": "people"},
    {"uuid": ZENO, "name": "Zeno", "group_id": "people"},
]
# Recorded in February: at Acme since 2020. Learnt in March: at Zeno since 2022, which ended the other.
EDGES = [
    edge(
        ACME,
        "2024-02-01T00:00:00Z",
        "2020-01-01T00:00:00Z",
        invalid_at="2022-01-01T00:00:00Z",
        expired_at="2024-03-01T00:00:00Z",
    ),
    edge(ZENO, "2024-03-01T00:00:00", "2022-01-01T00:00:00+00:00"),
]


def objects(client: tenure.Client, valid: str, known: str | None = None) -> list[str]:
    return [str(tenure.from_object(row.object)) for row in client.facts("Ann", valid=valid, known=known)]


def test_graphiti_keeps_both_clocks(client: tenure.Client) -> None:
    done = client.import_transactions(foreign.graphiti(NODES, EDGES))
    assert (done.applied, done.rejected, done.tx) == (3, 0, 2)
    assert objects(client, "2021") == ["Acme"]
    assert objects(client, "2023") == ["Zeno"]
    assert objects(client, "2023", known="2024-02-15") == ["Acme"]
    assert objects(client, "2023", known="2024-01-15") == []
    assert objects(client, "2019") == []


def test_graphiti_retracts_what_expired_without_an_end(client: tenure.Client) -> None:
    expired = edge(ACME, "2024-02-01T00:00:00Z", None, expired_at="2024-03-01T00:00:00Z")
    client.import_transactions(foreign.graphiti(NODES, [expired]))
    assert objects(client, "1990", known="2024-02-15") == ["Acme"]
    assert objects(client, "1990") == []


def test_graphiti_tells_nodes_of_one_name_apart() -> None:
    twins = [*NODES, {"uuid": "u-ann-2", "name": "ANN ", "group_id": "people"}]
    said = foreign.graphiti(twins, EDGES)[0].operations[0]
    assert getattr(said, "assert").triple.subject == "Ann (u-ann)"


def test_graphiti_takes_one_group() -> None:
    both = [*EDGES, edge(ACME, "2024-02-01T00:00:00Z", None, group_id="others")]
    with pytest.raises(ValueError, match="several groups"):
        foreign.graphiti(NODES, both)
    assert len(foreign.graphiti(NODES, both, group_id="others")) == 1


MEMORIES = [
    {"id": "m1", "memory": "Likes tea", "user_id": "Ann", "created_at": "2024-02-01T00:00:00-08:00"},
    {"id": "m2", "memory": "Is vegan", "user_id": "Ann", "created_at": "2024-02-03T00:00:00-08:00"},
]
HISTORY = [
    {"memory_id": "m1", "old_memory": None, "new_memory": "Likes coffee", "event": "ADD",
     "created_at": "2024-02-01T00:00:00-08:00", "updated_at": None},
    {"memory_id": "m1", "old_memory": "Likes coffee", "new_memory": "Likes tea", "event": "UPDATE",
     "created_at": "2024-02-01T00:00:00-08:00", "updated_at": "2024-02-02T00:00:00-08:00"},
    {"memory_id": "m3", "old_memory": None, "new_memory": "Has a cat", "event": "ADD",
     "created_at": "2024-02-01T00:00:00-08:00", "updated_at": None},
    {"memory_id": "m3", "old_memory": "Has a cat", "new_memory": None, "event": "DELETE",
     "created_at": "2024-02-04T00:00:00-08:00", "updated_at": None},
]  # fmt: skip
RELATIONS = [{"source": "Ann", "relationship": "knows", "target": "Bob"}]


def test_mem0_keeps_when_it_was_recorded(client: tenure.Client) -> None:
    done = client.import_transactions(foreign.mem0(MEMORIES, history=HISTORY, relations=RELATIONS, owner="Ann"))
    assert (done.applied, done.rejected) == (6, 0)
    assert sorted(objects(client, "2024-02-01T12:00Z")) == ["Has a cat", "Likes coffee"]
    assert sorted(objects(client, "2024-02-05")) == ["Is vegan", "Likes tea"]
    known = objects(client, "2024-02-05", known="2024-02-01T12:00Z")
    assert sorted(known) == ["Has a cat", "Likes coffee"]
    assert [row.object.entity for row in client.facts("Ann", "knows")] == ["Bob"]


def test_mem0_without_a_history_is_what_it_is_now(client: tenure.Client) -> None:
    client.import_transactions(foreign.mem0(MEMORIES))
    assert sorted(objects(client, "2024-02-05")) == ["Is vegan", "Likes tea"]
    with pytest.raises(ValueError, match="no event"):
        foreign.mem0([], history=[HISTORY[0] | {"event": "NONE"}])


async def test_the_same_without_waiting(aio: tenure.aio.Client) -> None:
    done = await aio.import_transactions(foreign.graphiti(NODES, EDGES))
    assert (done.applied, done.tx) == (3, 2)


def test_from_the_command_line(
    server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backwards = edge(ACME, "2024-04-01T00:00:00Z", "2023-01-01T00:00:00Z", invalid_at="2022-01-01T00:00:00Z")
    (tmp_path / "export.json").write_text(json.dumps({"nodes": NODES, "edges": [*EDGES, backwards]}))
    home = f"import {uuid.uuid4().hex}"
    foreign.main(["graphiti", str(tmp_path / "export.json"), "--server", server, "--namespace", home])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "3 applied, 1 rejected, up to transaction 2"
    assert told[1].startswith("operation 3: ") and told[1].endswith("[INVERTED_INTERVAL]")
