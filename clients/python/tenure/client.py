"""A client that waits for its answers. `tenure.aio` has the same for asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar

import grpc

from tenure import _requests as requests
from tenure._intercept import Interceptor
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


def pages(call: Callable[[Any], Any], request: Any) -> Iterator[Any]:
    """Every page of a listing, from a stub's call and the request of the first page."""
    asked = type(request)()
    asked.CopyFrom(request)
    while True:
        page = call(asked)
        yield page
        if not page.next_page_token:
            return
        asked.page_token = page.next_page_token


class Rows(Generic[T]):
    """The rows of a listing, asked for page by page as they are read.

    `basis` is where the listing is answered; reading it asks for the first page.
    """

    def __init__(self, call: Callable[[Any], Any], request: Any, field: str) -> None:
        self._pages = pages(call, request)
        self._field = field
        self._first: Any = None
        self._rows = self._read()

    def _read(self) -> Iterator[T]:
        if self._first is None:
            self._first = next(self._pages)
        yield from getattr(self._first, self._field)
        for page in self._pages:
            yield from getattr(page, self._field)

    @property
    def basis(self) -> Basis:
        if self._first is None:
            self._first = next(self._pages)
        basis: Basis = self._first.basis
        return basis

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        return next(self._rows)


class Client:
    """A connection, and the namespace its helpers ask in.

    `fact`, `graph`, `memory` and `admin` are the generated stubs, for everything; what is beside them are the
    calls that are awkward to make by hand. Errors, deadlines and retries are the same for both.
    """

    def __init__(
        self,
        channel: grpc.Channel,
        namespace: str,
        *,
        retry: Retry = Retry(),
        timeout: float | None = 30.0,
    ) -> None:
        self.namespace = namespace
        self._channel = channel
        self._retry = retry
        watched = grpc.intercept_channel(channel, Interceptor(retry, timeout))
        self.fact = FactServiceStub(watched)
        self.graph = GraphServiceStub(watched)
        self.memory = MemoryServiceStub(watched)
        self.admin = AdminServiceStub(watched)

    def close(self) -> None:
        self._channel.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def create_namespace(
        self, *, zone: str = "", allow_existing: bool = True
    ) -> CreateNamespaceResponse:
        request = CreateNamespaceRequest(
            name=self.namespace, zone=zone, allow_existing=allow_existing
        )
        response: CreateNamespaceResponse = self.admin.CreateNamespace(request)
        return response

    def transact(
        self,
        operations: Iterable[Operation],
        *,
        request_id: str | None = None,
        partial: bool = False,
        dry_run: bool = False,
    ) -> TransactResponse:
        """One transaction. Without a `request_id` it gets one, so that it can be sent again."""
        request = requests.transact(self.namespace, operations, request_id, partial, dry_run)
        response: TransactResponse = self.fact.Transact(request)
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

    def diff(
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
        for page in pages(self.fact.DiffFacts, request):
            whole.MergeFrom(page)
        whole.ClearField("next_page_token")
        return whole

    def traverse(
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
        response: TraverseResponse = self.graph.Traverse(request)
        return response

    def recall(
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
        response: RecallResponse = self.memory.Recall(request)
        return response

    def import_facts(
        self,
        operations: Iterable[Operation],
        *,
        batch: int = requests.IMPORT_BATCH,
        deduplicate: bool = True,
    ) -> Imported:
        """Operations in bulk, `batch` in a transaction, read as they are sent.

        With `deduplicate` a row that was recorded before changes nothing, so a lost connection is
        made good by sending the same rows again.
        """
        imported = Imported()
        for messages in requests.import_streams(self.namespace, operations, batch, deduplicate):
            imported.add(self._import(messages))
        return imported

    def import_transactions(self, transactions: Iterable[Transaction]) -> Imported:
        """Transactions with the times they were committed at, strictly ascending, into a namespace
        that holds nothing but such. In one stream, which is not sent again."""
        imported = Imported()
        messages = requests.import_transactions(self.namespace, transactions)
        imported.add(self.fact.ImportFacts(messages))
        return imported

    def _import(self, messages: list[ImportFactsRequest]) -> Any:
        failures = 0
        while True:
            try:
                return self.fact.ImportFacts(iter(messages))
            except TenureError as error:
                failures += 1
                wait = self._retry.wait(error, messages[0], failures)
                if wait is None:
                    raise
            time.sleep(wait)


def connect(
    server: str,
    namespace: str = "default",
    *,
    credentials: grpc.ChannelCredentials | None = None,
    retry: Retry = Retry(),
    timeout: float | None = 30.0,
) -> Client:
    """A client of `host:port`. The connection is made with the first call.

    `timeout` is the deadline, in seconds, of calls that name none; streams have none.
    """
    if credentials is None:
        channel = grpc.insecure_channel(server, options=requests.CHANNEL_OPTIONS)
    else:
        channel = grpc.secure_channel(server, credentials, options=requests.CHANNEL_OPTIONS)
    return Client(channel, namespace, retry=retry, timeout=timeout)
