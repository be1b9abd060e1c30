"""The store: plans, run with a client that waits or with one that does not."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable
from copy import copy
from typing import Any, TypeVar

import tenure
from langgraph.store.base import BaseStore, IndexConfig, Op, Result, TTLConfig
from tenure.times import Moment, known_point
from tenure.v1.admin_service_pb2 import CreateNamespaceRequest
from tenure.v1.fact_service_pb2 import TransactRequest
from tenure.v1.time_pb2 import AsOf, Basis
from tenure_langgraph import records
from tenure_langgraph.history import Version, history
from tenure_langgraph.index import Index
from tenure_langgraph.plan import Call, Plan, Reader, Step, batch

T = TypeVar("T")


class TenureStore(BaseStore):
    """A store in the namespace of a client.

    Without `aio` the asynchronous methods run the others in a thread. `index` says by which fields
    items are found in words; with `embed` the vectors are its own, else the server's. Items whose
    ttl is over are gone at once, so there is nothing to sweep.
    """

    supports_ttl = True

    def __init__(
        self,
        client: tenure.Client,
        *,
        aio: tenure.aio.Client | None = None,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if aio is not None and aio.namespace != client.namespace:
            raise ValueError("both clients must ask in one namespace")
        self.client = client
        self.aio = aio
        self.ttl_config = ttl
        self._index = None if index is None else Index(index)
        self._at: AsOf | None = None

    def setup(self) -> None:
        """Makes the namespace where there is none. Needed once; does nothing the second time."""
        self._run(self._setup())

    async def asetup(self) -> None:
        await self._arun(self._setup())

    def at(
        self, valid: Basis | Moment | None = None, known: int | Moment | None = None
    ) -> TenureStore:
        """The same store as it was at `valid`, as known at `known`: every read, no writes."""
        past = copy(self)
        past._at = tenure.as_of(valid, known)
        return past

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return self._run(self._batch(ops))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await self._arun(self._batch(ops))

    def history(
        self,
        namespace: tuple[str, ...],
        key: str,
        *,
        known: int | Moment | None = None,
        audit: bool = False,
    ) -> list[Version]:
        """What the item was and when, as known now or at `known`.

        With `audit`, everything that was ever known of it.
        """
        return self._run(self._history(namespace, key, known, audit))

    async def ahistory(
        self,
        namespace: tuple[str, ...],
        key: str,
        *,
        known: int | Moment | None = None,
        audit: bool = False,
    ) -> list[Version]:
        return await self._arun(self._history(namespace, key, known, audit))

    def _setup(self) -> Plan[None]:
        namespace = self.client.namespace
        space = self._index.space if self._index else None
        made = CreateNamespaceRequest(name=namespace, allow_existing=True, embedding=space)
        yield Call("admin", "CreateNamespace", made)
        declared = records.declare()
        yield Call("fact", "Transact", TransactRequest(namespace=namespace, operations=declared))

    def _batch(self, ops: Iterable[Op]) -> Plan[list[Result]]:
        reader = Reader(self.client.namespace, self._at or AsOf())
        return batch(ops, reader, self._index, writes=self._at is None)

    def _history(
        self, namespace: tuple[str, ...], key: str, known: int | Moment | None, audit: bool
    ) -> Plan[list[Version]]:
        point = known_point(known, edge="", zone="")
        return history(self.client.namespace, (tuple(namespace), str(key)), point, audit)

    def _run(self, plan: Plan[T]) -> T:
        answer: Any = None
        failure: Exception | None = None
        while True:
            try:
                step = plan.send(answer) if failure is None else plan.throw(failure)
            except StopIteration as done:
                result: T = done.value
                return result
            answer, failure = None, None
            try:
                answer = self._answer(step)
            except Exception as error:
                failure = error

    async def _arun(self, plan: Plan[T]) -> T:
        if self.aio is None:
            return await asyncio.to_thread(self._run, plan)
        answer: Any = None
        failure: Exception | None = None
        while True:
            try:
                step = plan.send(answer) if failure is None else plan.throw(failure)
            except StopIteration as done:
                result: T = done.value
                return result
            answer, failure = None, None
            try:
                answer = await self._await(self.aio, step)
            except Exception as error:
                failure = error

    def _answer(self, step: Step) -> Any:
        if isinstance(step, Call):
            return getattr(getattr(self.client, step.service), step.method)(_keyed(step.request))
        embeddings = self._embeddings()
        if step.question:
            return [embeddings.embed_query(text) for text in step.texts]
        return embeddings.embed_documents(list(step.texts))

    async def _await(self, client: tenure.aio.Client, step: Step) -> Any:
        if isinstance(step, Call):
            return await getattr(getattr(client, step.service), step.method)(_keyed(step.request))
        embeddings = self._embeddings()
        if step.question:
            return [await embeddings.aembed_query(text) for text in step.texts]
        return await embeddings.aembed_documents(list(step.texts))

    def _embeddings(self) -> Any:
        assert self._index and self._index.embeddings, "only an index that embeds asks for vectors"
        return self._index.embeddings


def _keyed(request: Any) -> Any:
    """A write with an id of its own, so that a lost connection is made good by sending it again."""
    if isinstance(request, TransactRequest):
        request.request_id = uuid.uuid4().hex
    return request

