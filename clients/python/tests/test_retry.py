"""Retries, against a stub server in this process that fails as it is told to."""

import asyncio
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager

import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

import tenure
from tenure import Retry, ops
from tenure.retry import READS
from tenure.v1 import (
    admin_service_pb2,
    fact_service_pb2,
    graph_service_pb2,
    memory_service_pb2,
)
from tenure.v1.admin_service_pb2 import DeleteNamespaceRequest, DeleteNamespaceResponse
from tenure.v1.admin_service_pb2_grpc import AdminServiceServicer, add_AdminServiceServicer_to_server
from tenure.v1.fact_service_pb2 import ImportFactsResponse, TransactRequest, TransactResponse
from tenure.v1.fact_service_pb2_grpc import FactServiceServicer, add_FactServiceServicer_to_server

QUICK = Retry(attempts=4, first=0.001)
LOST = (grpc.StatusCode.UNAVAILABLE, "")
FULL = (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL")
NO_ROOM = (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORAGE_FULL")


class Failing(FactServiceServicer, AdminServiceServicer):
    """Fails with each of `failures` in turn, then answers."""

    def __init__(self, failures: list[tuple[grpc.StatusCode, str]]) -> None:
        self.failures = failures
        self.seen: list[object] = []

    def _answer(self, request: object, context: grpc.ServicerContext) -> None:
        self.seen.append(request)
        if self.failures:
            code, reason = self.failures.pop(0)
            detail = any_pb2.Any()
            detail.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="tenure"))
            status = status_pb2.Status(code=code.value[0], details=[detail] if reason else [])
            trailer = ("grpc-status-details-bin", status.SerializeToString())
            context.set_trailing_metadata((trailer,))
            context.abort(code, "as told")

    def Transact(self, request: TransactRequest, context: grpc.ServicerContext) -> TransactResponse:
        self._answer(request, context)
        return TransactResponse(tx=1)

    def ImportFacts(self, requests: Iterator[object], context: grpc.ServicerContext) -> ImportFactsResponse:
        self._answer(list(requests), context)
        return ImportFactsResponse(applied=2)

    def DeleteNamespace(
        self, request: DeleteNamespaceRequest, context: grpc.ServicerContext
    ) -> DeleteNamespaceResponse:
        self._answer(request, context)
        return DeleteNamespaceResponse()


@contextmanager
def failing(*failures: tuple[grpc.StatusCode, str]) -> Iterator[tuple[Failing, str]]:
    servicer = Failing(list(failures))
    server = grpc.server(futures.ThreadPoolExecutor(2))
    add_FactServiceServicer_to_server(servicer, server)
    add_AdminServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield servicer, f"127.0.0.1:{port}"
    finally:
        server.stop(None)


def test_a_write_is_sent_again_with_its_id() -> None:
    with failing(LOST, FULL) as (servicer, server), tenure.connect(server, retry=QUICK) as client:
        assert client.transact([ops.unmerge("a")]).tx == 1
    assert len(servicer.seen) == 3
    assert servicer.seen[0].request_id  # type: ignore[attr-defined]
    assert servicer.seen[0] == servicer.seen[1] == servicer.seen[2]


def test_a_write_is_sent_again_with_its_id_without_waiting() -> None:
    async def write(server: str) -> int:
        async with tenure.aio.connect(server, retry=QUICK) as client:
            return (await client.transact([ops.unmerge("a")])).tx

    with failing(LOST, FULL) as (servicer, server):
        assert asyncio.run(write(server)) == 1
    assert len(servicer.seen) == 3
    assert servicer.seen[0] == servicer.seen[2]


@pytest.mark.parametrize(
    "failure, request_id, sent",
    [(LOST, "", 1), (FULL, "", 2), (LOST, "mine", 2), (NO_ROOM, "mine", 1)],
)
def test_what_may_do_harm_is_sent_once(
    failure: tuple[grpc.StatusCode, str], request_id: str, sent: int
) -> None:
    with failing(failure) as (servicer, server), tenure.connect(server, retry=QUICK) as client:
        try:
            client.transact([ops.unmerge("a")], request_id=request_id)
        except tenure.TenureError:
            assert sent == 1
    assert len(servicer.seen) == sent


def test_a_removal_is_not_repeated() -> None:
    with failing(LOST) as (servicer, server), tenure.connect(server, retry=QUICK) as client:
        with pytest.raises(tenure.Unavailable):
            client.admin.DeleteNamespace(DeleteNamespaceRequest(name="a"))
    assert len(servicer.seen) == 1


def test_every_call_of_the_contract_was_thought_of() -> None:
    services = [
        module.DESCRIPTOR.services_by_name[name]
        for module, name in (
            (fact_service_pb2, "FactService"),
            (graph_service_pb2, "GraphService"),
            (memory_service_pb2, "MemoryService"),
            (admin_service_pb2, "AdminService"),
        )
    ]
    requests = {call.input_type.full_name for service in services for call in service.methods}
    writes = {"Transact", "ImportFacts", "AddEpisodes", "CreateNamespace", "DeleteNamespace", "Erase", "Reembed"}
    writes |= {"CreateCredential", "RotateCredential", "RevokeCredential", "SetQuotas", "SetBudgets", "UpdatePolicy"}
    writes |= {"AppendTurns", "EndSession", "RegenerateSummary", "Reflect", "RetractDerived", "Remember"}
    writes |= {"UpdateCoreMemory", "SweepMemories"}
    streams = {"Backup", "ExportFacts", "WatchFacts"}
    assert READS | {f"tenure.v1.{call}Request" for call in writes | streams} == requests


def test_attempts_end() -> None:
    with failing(*[LOST] * 9) as (servicer, server), tenure.connect(server, retry=QUICK) as client:
        with pytest.raises(tenure.Unavailable):
            client.transact([ops.unmerge("a")])
    assert len(servicer.seen) == 4


def test_an_import_sends_the_same_rows_again_where_they_are_known() -> None:
    rows = [ops.assert_("a", "p", "b"), ops.assert_("a", "p", "c")]
    with failing(LOST, LOST) as (servicer, server), tenure.connect(server, retry=QUICK) as client:
        assert client.import_facts(rows).applied == 2
        assert servicer.seen[0] == servicer.seen[2]
        servicer.failures = [LOST]
        with pytest.raises(tenure.Unavailable):
            client.import_facts(rows, deduplicate=False)
