"""What happens to every call of a channel, made by hand or by a helper: a deadline where none was
set, typed errors, and retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import grpc
import grpc.aio

from tenure.errors import TenureError, from_rpc
from tenure.retry import Retry


class _Attempts:
    """The attempts of one call, which share its deadline."""

    def __init__(self, retry: Retry, timeout: float | None, request: object) -> None:
        self._retry = retry
        self._request = request
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._failures = 0

    def left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def wait_after(self, error: TenureError) -> float:
        """Seconds until the next attempt; raises the error where there is none."""
        self._failures += 1
        wait = self._retry.wait(error, self._request, self._failures)
        left = self.left()
        if wait is None or (left is not None and wait >= left):
            raise error
        return wait


class Interceptor(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
):
    def __init__(self, retry: Retry, timeout: float | None) -> None:
        self._retry = retry
        self._timeout = timeout

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        attempts = _Attempts(self._retry, details.timeout or self._timeout, request)
        while True:
            call = continuation(_Details(details, attempts.left()), request)
            try:
                call.result()
                return call
            except grpc.RpcError as error:
                failed = from_rpc(error)
                wait = attempts.wait_after(failed)
            time.sleep(wait)

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return _Stream(continuation(details, request))

    def intercept_stream_unary(self, continuation: Any, details: Any, requests: Any) -> Any:
        call = continuation(details, requests)
        try:
            call.result()
        except grpc.RpcError as error:
            raise from_rpc(error) from error
        return call


class _Details(grpc.ClientCallDetails):
    def __init__(self, details: Any, timeout: float | None) -> None:
        self.method = details.method
        self.timeout = timeout
        self.metadata = details.metadata
        self.credentials = details.credentials
        self.wait_for_ready = details.wait_for_ready
        self.compression = details.compression


class _Stream:
    """A stream of replies whose errors are typed; everything else is that of the call."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return next(self._call)
        except grpc.RpcError as error:
            raise from_rpc(error) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)


def aio_interceptors(retry: Retry, timeout: float | None) -> list[grpc.aio.ClientInterceptor]:
    """The same for asyncio, where each kind of call has an interceptor of its own."""
    return [_AioUnary(retry, timeout), _AioReplies(), _AioRequests()]


class _AioUnary(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, retry: Retry, timeout: float | None) -> None:
        self._retry = retry
        self._timeout = timeout

    async def intercept_unary_unary(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> Any:
        details = client_call_details
        attempts = _Attempts(self._retry, details.timeout or self._timeout, request)
        while True:
            call = await continuation(details._replace(timeout=attempts.left()), request)
            try:
                await call
                return call
            except grpc.aio.AioRpcError as error:
                failed = from_rpc(error)
                wait = attempts.wait_after(failed)
            await asyncio.sleep(wait)


class _AioReplies(grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> AsyncIterator[Any]:
        call = await continuation(client_call_details, request)

        async def replies() -> AsyncIterator[Any]:
            try:
                async for reply in call:
                    yield reply
            except grpc.aio.AioRpcError as error:
                raise from_rpc(error) from error

        return replies()


class _AioRequests(grpc.aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self, continuation: Callable[..., Any], client_call_details: Any, request_iterator: Any
    ) -> Any:
        call = await continuation(client_call_details, request_iterator)
        try:
            await call
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        return call
