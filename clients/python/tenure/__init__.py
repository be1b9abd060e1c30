"""Client of Tenure, a memory of facts that keeps both clocks.

`tenure.connect` gives a client that waits, `tenure.aio.connect` one for asyncio. The messages and
stubs of the contract are in `tenure.v1`.
"""

from tenure import aio, ops
from tenure._requests import Imported, Transaction
from tenure.client import Client, Rows, connect, pages
from tenure.errors import (
    AlreadyExists,
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    TenureError,
    Unavailable,
    Violation,
)
from tenure.objects import Text, from_object, to_object
from tenure.retry import NO_RETRY, Retry
from tenure.times import UNBOUNDED, as_of, bound, instant, span, to_datetime, to_text

__all__ = [
    "NO_RETRY",
    "UNBOUNDED",
    "AlreadyExists",
    "Client",
    "DeadlineExceeded",
    "FailedPrecondition",
    "Imported",
    "InvalidArgument",
    "NotFound",
    "ResourceExhausted",
    "Retry",
    "Rows",
    "TenureError",
    "Text",
    "Transaction",
    "Unavailable",
    "Violation",
    "aio",
    "as_of",
    "bound",
    "connect",
    "from_object",
    "instant",
    "ops",
    "pages",
    "span",
    "to_datetime",
    "to_object",
    "to_text",
]
