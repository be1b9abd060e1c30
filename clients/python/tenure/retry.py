"""When a call is sent again, and how long to wait before.

Only what is safe is repeated: reads, and writes that the server knows again by their `request_id`.
A repeated request is the same message, so its id is the same. What the server refused before it
wrote anything (a full queue, a stop) is safe for every call.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import grpc
from google.protobuf.message import Message

from tenure.errors import TenureError
from tenure.v1.admin_service_pb2 import CreateNamespaceRequest
from tenure.v1.fact_service_pb2 import ImportFactsRequest, TransactRequest
from tenure.v1.memory_service_pb2 import AddEpisodesRequest, AppendTurnsRequest

_NOTHING_WRITTEN = frozenset({"QUEUE_FULL", "SHUTTING_DOWN"})


#: Calls that change nothing. A call that is not here is sent once until someone has thought of it.
READS = frozenset(
    f"tenure.v1.{call}Request"
    for call in (
        "GetFact",
        "ListFacts",
        "BatchGetFacts",
        "GetTimeline",
        "GetBeliefHistory",
        "DiffFacts",
        "ExplainFact",
        "ListConflicts",
        "Traverse",
        "FindPaths",
        "GetEntity",
        "ResolveEntity",
        "ListEntities",
        "ListPredicates",
        "GetEpisode",
        "ListEpisodes",
        "GetSession",
        "ListTurns",
        "GetPolicy",
        "GetCoreMemory",
        "BuildContext",
        "Recall",
        "GetErasure",
        "ListErasures",
        "ListNamespaces",
        "GetStatistics",
        "ListCredentials",
        "ListAuditEvents",
        "GetQuotas",
        "GetUsage",
        "Verify",
        "Ping",
    )
)


@dataclass(frozen=True)
class Retry:
    """Waits grow from `first` seconds by doubling up to `longest`, each somewhat shorter by chance.

    All attempts together share the deadline of the call.
    """

    attempts: int = 5
    first: float = 0.1
    longest: float = 5.0

    def wait(self, error: TenureError, request: object, failures: int) -> float | None:
        """Seconds to wait after so many failures, or `None` to give up."""
        if failures >= self.attempts or not passes(error, request):
            return None
        grown: float = min(self.longest, self.first * 2 ** (failures - 1))
        return max(error.retry_after or 0.0, grown * random.uniform(0.5, 1.0))


#: Every call is sent once.
NO_RETRY = Retry(attempts=1)


def passes(error: TenureError, request: object) -> bool:
    """Whether sending the request again may help and does no harm."""
    if error.reason in _NOTHING_WRITTEN:
        return True
    return error.code is grpc.StatusCode.UNAVAILABLE and is_repeatable(request)


def is_repeatable(request: object) -> bool:
    """Whether a request that was answered may be answered again without another effect."""
    if isinstance(request, TransactRequest):
        return bool(request.request_id) or request.dry_run
    if isinstance(request, AddEpisodesRequest | AppendTurnsRequest):
        return bool(request.request_id)
    if isinstance(request, CreateNamespaceRequest):
        return request.allow_existing
    if isinstance(request, ImportFactsRequest):
        return request.deduplicate
    return isinstance(request, Message) and request.DESCRIPTOR.full_name in READS
