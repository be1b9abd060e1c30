"""The retriever: a question, its basis and filters as one Recall."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from copy import copy
from typing import Any

import tenure
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle
from tenure.times import Moment
from tenure.v1.memory_service_pb2 import RecallFilter, RecallRequest, RecallResponse
from tenure.v1.record_pb2 import Vector
from tenure.v1.time_pb2 import Basis
from tenure_llamaindex.nodes import to_node


class TenureRetriever(BaseRetriever):
    """Retrieves what answers a question best from the namespace of a client.

    `as_of` is the time it is asked about, `known_at` the time, or the transaction, it is asked as
    known at; by default both are now. An earlier answer's `Basis` as `as_of` repeats that answer.
    `options` are further fields of RecallRequest, such as `profile`, `legs` or `token_budget`.

    A query that brings an embedding of its own sends it, else the server embeds the words.
    Without `aio` the asynchronous methods run the others in a thread.
    """

    def __init__(
        self,
        client: tenure.Client,
        *,
        aio: tenure.aio.Client | None = None,
        as_of: Basis | Moment | None = None,
        known_at: int | Moment | None = None,
        filter: RecallFilter | None = None,
        seeds: Iterable[str] = (),
        limit: int = 10,
        callback_manager: CallbackManager | None = None,
        **options: Any,
    ) -> None:
        super().__init__(callback_manager=callback_manager)
        if aio is not None and aio.namespace != client.namespace:
            raise ValueError("both clients must ask in one namespace")
        self.client = client
        self.aio = aio
        self._request = RecallRequest(
            namespace=client.namespace,
            as_of=tenure.as_of(as_of, known_at),
            filter=filter,
            seeds=seeds,
            limit=limit,
            **options,
        )

    def at(
        self, as_of: Basis | Moment | None = None, known_at: int | Moment | None = None
    ) -> TenureRetriever:
        """The same retriever at another basis."""
        other = copy(self)
        other._request = RecallRequest()
        other._request.CopyFrom(self._request)
        other._request.as_of.CopyFrom(tenure.as_of(as_of, known_at))
        return other

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self.client.memory.Recall(self._asked(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self.aio is None:
            return await asyncio.to_thread(self._retrieve, query_bundle)
        return _nodes(await self.aio.memory.Recall(self._asked(query_bundle)))

    def _asked(self, query: QueryBundle) -> RecallRequest:
        request = RecallRequest()
        request.CopyFrom(self._request)
        request.query = query.query_str
        if query.embedding is not None:
            request.vector.CopyFrom(Vector(numbers=query.embedding))
        return request


def _nodes(response: RecallResponse) -> list[NodeWithScore]:
    return [to_node(hit, response.basis) for hit in response.hits]
