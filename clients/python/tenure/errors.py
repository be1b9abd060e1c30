"""What a call can fail with.

React to `reason`, which is stable; show the message. A subclass stands for the gRPC code, for those
who only care how to go on. Reasons: docs/errors.md of the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "tenure"
_DETAILS = "grpc-status-details-bin"


@dataclass(frozen=True)
class Violation:
    """A broken rule: the path of the field, its own reason, and a text for a person."""

    field: str
    reason: str
    description: str


class TenureError(Exception):
    """A call that failed. `reason` is empty where the server gave none, as for a lost connection."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        violations: tuple[Violation, ...] = (),
        metadata: dict[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{message} [{reason or code.name}]")
        self.code = code
        self.message = message
        self.reason = reason
        self.violations = violations
        self.metadata = metadata or {}
        #: Seconds after which the server wants to be asked again.
        self.retry_after = retry_after


class InvalidArgument(TenureError):
    """The request is wrong whatever the state; `violations` says where."""


class NotFound(TenureError):
    """A namespace, fact, entity, source or statement that is not there."""


class AlreadyExists(TenureError):
    """A namespace of that name is there."""


class FailedPrecondition(TenureError):
    """The request is wrong until the state changes."""


class ResourceExhausted(TenureError):
    """QUEUE_FULL passes by itself, STORAGE_FULL does not."""


class Unavailable(TenureError):
    """The server was not reached or is stopping. Nobody knows whether a write was committed."""


class DeadlineExceeded(TenureError):
    """No answer in time. Nobody knows whether a write was committed."""


_CLASSES: dict[grpc.StatusCode, type[TenureError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.FAILED_PRECONDITION: FailedPrecondition,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhausted,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
}


def from_rpc(error: grpc.RpcError) -> TenureError:
    """The typed error inside an error of gRPC, with everything its details say."""
    code: grpc.StatusCode = error.code()
    reason, violations, metadata, retry_after = "", [], {}, None
    for detail in _details(error.trailing_metadata() or ()):
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo()
            detail.Unpack(info)
            if info.domain == DOMAIN:
                reason, metadata = info.reason, dict(info.metadata)
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest()
            detail.Unpack(bad)
            violations = [Violation(v.field, v.reason, v.description) for v in bad.field_violations]
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            detail.Unpack(retry)
            retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
    return _CLASSES.get(code, TenureError)(
        code,
        error.details() or "",
        reason=reason,
        violations=tuple(violations),
        metadata=metadata,
        retry_after=retry_after,
    )


def _details(metadata: Any) -> list[Any]:
    for key, value in metadata:
        if key == _DETAILS and isinstance(value, bytes):
            return list(status_pb2.Status.FromString(value).details)
    return []
