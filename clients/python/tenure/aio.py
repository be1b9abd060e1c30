"""The client for asyncio: the same helpers as `tenure.client`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Any, Generic, TypeVar

import grpc
import grpc.aio

from tenure import _requests as requests
from tenure._intercept import aio_interceptors
from tenure._requests import Imported, Transaction, When
from tenure.errors import TenureError
from tenure.objects import Target
from tenure.retry import Retry
from tenure.times import End, Moment
from tenure.v1.admin_service_pb2 import CreateNamespaceRequest, CreateNamespaceResponse
from tenure.v1.admin_service_pb2_grpc import AdminServiceStub
from tenure.v1.fact_service_pb2 import (
    DiffFactsResponse,
    ImportFactsRequest,
    Operation,
    TransactResponse,
)
from tenure.v1.fact_service_pb2_grpc import FactServiceStub
from tenure.v1.graph_service_pb2 import TraverseResponse
from tenure.v1.graph_service_pb2_grpc import GraphServiceStub
from tenure.v1.memory_service_pb2 import RecallResponse
from tenure.v1.memory_service_pb2_grpc import MemoryServiceStub
from tenure.v1.record_pb2 import Rectangle
from tenure.v1.time_pb2 import Basis

T = TypeVar("T")


async def pages(call: Callable[[Any], Any], request: Any) -> AsyncIterator[Any]:
    """Every page of a listing, from a stub's call and the request of the first page."""
    asked = type(request)()
    asked.CopyFrom(request)
    while True:
        page = await call(asked)
        yield page
        if not page.next_page_token:
            return
        asked.page_token = page.next_page_token


class Rows(Generic[T]):
    """The rows of a listing, asked for page by page as they are read."""

    def __init__(self, call: Callable[[Any], Any], request: Any, field: str) -> None:
        self._pages = pages(call, request)
        self._field = field
        self._first: Any = None
        self._rows = self._read()

    async def _first_page(self) -> Any:
        if self._first is None:
            self._first = await anext(self._pages)
        return self._first

    async def _read(self) -> AsyncIterator[T]:
        for row in getattr(await self._first_page(), self._field):
            yield row
        async for page in self._pages:
            for row in getattr(page, self._field):
                yield row

    async def basis(self) -> Basis:
        """Where the listing is answered. Asks for the first page where none was read."""
        basis: Basis = (await self._first_page()).basis
        return basis

    def __aiter__(self) -> AsyncIterator[T]:
        return self._rows


class Client:
    """A connection, and the namespace its helpers ask in. See `tenure.client.Client`."""

    def __init__(self, channel: grpc.aio.Channel, namespace: str, *, retry: Retry = Retry()) -> None:
        self.namespace = namespace
        self._channel = channel
        self._retry = retry
        self.fact = FactServiceStub(channel)
        self.graph = GraphServiceStub(channel)
        self.memory = MemoryServiceStub(channel)
        self.admin = AdminServiceStub(channel)

    async def close(self) -> None:
        await self._channel.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def create_namespace(
        self, *, zone: str = "", allow_existing: bool = True
    ) -> CreateNamespaceResponse:
        request = CreateNamespaceRequest(
            name=self.namespace, zone=zone, allow_existing=allow_existing
        )
        response: CreateNamespaceResponse = await self.admin.CreateNamespace(request)
        return response

    async def transact(
        self,
        operations: Iterable[Operation],
        *,
        request_id: str | None = None,
        partial: bool = False,
        dry_run: bool = False,
    ) -> TransactResponse:
        """One transaction. Without a `request_id` it gets one, so that it can be sent again."""
        request = requests.transact(self.namespace, operations, request_id, partial, dry_run)
        response: TransactResponse = await self.fact.Transact(request)
        return response

    def facts(
        self,
        subject: str = "",
        predicates: str | Iterable[str] = (),
        object: Target | None = None,
        *,
        valid: When = None,
        known: int | Moment | None = None,
        overlapping: tuple[End, End] | None = None,
        clamp: bool = False,
        edge: str = "",
        zone: str = "",
    ) -> Rows[Rectangle]:
        """Facts that match, at a point of both times, or overlapping a range of valid time."""
        wanted = requests.pattern(subject, predicates, object)
        request = requests.list_facts(
            self.namespace, wanted, valid, known, overlapping, clamp, edge, zone
        )
        return Rows(self.fact.ListFacts, request, "rectangles")

    def timeline(
        self,
        subject: str,
        predicate: str,
        *,
        known: int | Moment | None = None,
        audit: bool = False,
        edge: str = "",
        zone: str = "",
    ) -> Rows[Rectangle]:
        """What held over valid time. With `audit`, every rectangle ever believed."""
        request = requests.timeline(self.namespace, subject, predicate, known, audit, edge, zone)
        return Rows(self.fact.GetTimeline, request, "rectangles")

    async def diff(
        self,
        from_: When,
        to: When,
        *,
        subject: str = "",
        predicates: str | Iterable[str] = (),
        object: Target | None = None,
        plain_rows: bool = False,
        edge: str = "",
        zone: str = "",
    ) -> DiffFactsResponse:
        """What differs between two points; all pages as one answer."""
        wanted = requests.pattern(subject, predicates, object)
        ends = [requests.point(when, None, edge, zone) for when in (from_, to)]
        request = requests.diff(self.namespace, ends[0], ends[1], wanted, plain_rows)
        whole = DiffFactsResponse()
        async for page in pages(self.fact.DiffFacts, request):
            whole.MergeFrom(page)
        whole.ClearField("next_page_token")
        return whole

    async def traverse(
        self,
        start: str,
        *,
        hops: int = 1,
        direction: str = "out",
        predicates: Iterable[str] = (),
        valid: When = None,
        known: int | Moment | None = None,
        limit: int = 0,
        fan_out: int = 0,
        edge: str = "",
        zone: str = "",
    ) -> TraverseResponse:
        """Facts within reach of an entity. `direction` is "out", "in" or "both"."""
        at = requests.point(valid, known, edge, zone)
        request = requests.traverse(
            self.namespace, start, hops, direction, predicates, at, limit, fan_out
        )
        response: TraverseResponse = await self.graph.Traverse(request)
        return response

    async def recall(
        self,
        query: str,
        *,
        valid: When = None,
        known: int | Moment | None = None,
        limit: int = 0,
        token_budget: int = 0,
        edge: str = "",
        zone: str = "",
    ) -> RecallResponse:
        """The facts and episodes that answer a question best, each with the reason it is there."""
        at = requests.point(valid, known, edge, zone)
        request = requests.recall(self.namespace, query, at, limit, token_budget)
        response: RecallResponse = await self.memory.Recall(request)
        return response

    async def import_facts(
        self,
        operations: Iterable[Operation],
        *,
        batch: int = requests.IMPORT_BATCH,
        deduplicate: bool = True,
    ) -> Imported:
        """Operations in bulk. See `tenure.client.Client.import_facts`."""
        imported = Imported()
        for messages in requests.import_streams(self.namespace, operations, batch, deduplicate):
            imported.add(await self._import(messages))
        return imported

    async def import_transactions(self, transactions: Iterable[Transaction]) -> Imported:
        """Transactions with their times. See `tenure.client.Client.import_transactions`."""
        imported = Imported()
        messages = requests.import_transactions(self.namespace, transactions)
        imported.add(await self.fact.ImportFacts(messages))
        return imported

    async def _import(self, messages: list[ImportFactsRequest]) -> Any:
        failures = 0
        while True:
            try:
                return await self.fact.ImportFacts(iter(messages))
            except TenureError as error:
                failures += 1
                wait = self._retry.wait(error, messages[0], failures)
                if wait is None:
                    raise
            await asyncio.sleep(wait)


def connect(
    server: str,
    namespace: str = "default",
    *,
    credentials: grpc.ChannelCredentials | None = None,
    retry: Retry = Retry(),
    timeout: float | None = 30.0,
) -> Client:
    """A client of `host:port`. See `tenure.connect`."""
    options, interceptors = requests.CHANNEL_OPTIONS, aio_interceptors(retry, timeout)
    if credentials is None:
        channel = grpc.aio.insecure_channel(server, options, interceptors=interceptors)
    else:
        channel = grpc.aio.secure_channel(server, credentials, options, interceptors=interceptors)
    return Client(channel, namespace, retry=retry)
