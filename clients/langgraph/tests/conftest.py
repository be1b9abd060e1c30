"""The server under test is told by TENURE_SERVER as `host:port`; each test has a namespace."""

import os
import uuid
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

import tenure
from tenure_langgraph import TenureStore


@pytest.fixture
def make() -> Iterator[Callable[..., TenureStore]]:
    """Makes a store in the namespace of this test."""
    with tenure.connect(os.environ["TENURE_SERVER"], f"langgraph {uuid.uuid4().hex}") as client:

        def make(**options: object) -> TenureStore:
            store = TenureStore(client, **options)  # type: ignore[arg-type]
            store.setup()
            return store

        yield make


@pytest.fixture
def store(make: Callable[..., TenureStore]) -> TenureStore:
    return make()


@pytest.fixture(params=["own", "thread"])
async def aio(request: pytest.FixtureRequest, store: TenureStore) -> AsyncIterator[TenureStore]:
    """With a client of its own, and without."""
    if request.param == "thread":
        yield store
        return
    server, namespace = os.environ["TENURE_SERVER"], store.client.namespace
    async with tenure.aio.connect(server, namespace) as client:
        store.aio = client
        yield store
