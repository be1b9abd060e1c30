"""The table that every client is held to, and errors that have no reason."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

import tenure
from tenure.v1 import (
    admin_service_pb2,
    fact_service_pb2,
    graph_service_pb2,
    memory_service_pb2,
)
from tenure.v1.fact_service_pb2 import Operation, WatchFactsRequest

TABLE = json.loads((Path(__file__).parents[2] / "errors.json").read_text())
MODULES = {
    "FactService": ("fact", fact_service_pb2),
    "GraphService": ("graph", graph_service_pb2),
    "MemoryService": ("memory", memory_service_pb2),
    "AdminService": ("admin", admin_service_pb2),
}


def set_up() -> list[Operation]:
    return [json_format.ParseDict(row, Operation()) for row in TABLE["setup"]]


def request_of(case: dict[str, Any], namespace: str) -> Any:
    text = json.dumps(case["request"]).replace("{namespace}", namespace)
    message = getattr(MODULES[case["service"]][1], case["method"] + "Request")
    return json_format.Parse(text, message())


def check(case: dict[str, Any], error: tenure.TenureError) -> None:
    assert (error.code.name, error.reason) == (case["code"], case["reason"])
    assert [[v.field, v.reason] for v in error.violations] == case["fields"]
    assert all(v.description for v in error.violations)
    assert case.get("metadata", {}).items() <= error.metadata.items()


def test_every_client_is_told_the_same(client: tenure.Client) -> None:
    client.transact(set_up())
    for case in TABLE["cases"]:
        stub = getattr(client, MODULES[case["service"]][0])
        with pytest.raises(tenure.TenureError) as failed:
            getattr(stub, case["method"])(request_of(case, client.namespace))
        check(case, failed.value)


async def test_every_client_is_told_the_same_without_waiting(aio: tenure.aio.Client) -> None:
    await aio.transact(set_up())
    for case in TABLE["cases"]:
        stub = getattr(aio, MODULES[case["service"]][0])
        with pytest.raises(tenure.TenureError) as failed:
            await getattr(stub, case["method"])(request_of(case, aio.namespace))
        check(case, failed.value)


def test_streams_fail_as_calls_do(client: tenure.Client) -> None:
    with pytest.raises(tenure.NotFound) as failed:
        next(client.fact.WatchFacts(WatchFactsRequest(namespace="nowhere")))
    assert failed.value.reason == "NAMESPACE_UNKNOWN"
    client.namespace = "nowhere"
    with pytest.raises(tenure.NotFound):
        client.import_facts([tenure.ops.assert_("a", "p", "b")])


async def test_streams_fail_as_calls_do_without_waiting(aio: tenure.aio.Client) -> None:
    with pytest.raises(tenure.NotFound) as failed:
        async for _ in aio.fact.WatchFacts(WatchFactsRequest(namespace="nowhere")):
            pass
    assert failed.value.reason == "NAMESPACE_UNKNOWN"
    aio.namespace = "nowhere"
    with pytest.raises(tenure.NotFound):
        await aio.import_facts([tenure.ops.assert_("a", "p", "b")])


def test_a_server_that_is_not_there_has_a_code_and_no_reason() -> None:
    with tenure.connect("127.0.0.1:1", retry=tenure.NO_RETRY) as client:
        with pytest.raises(tenure.Unavailable) as failed:
            list(client.facts())
    assert (failed.value.code, failed.value.reason) == (grpc.StatusCode.UNAVAILABLE, "")
