"""The server under test is told by TENURE_SERVER as `host:port`; each test has a namespace."""

import os
import uuid
from collections.abc import AsyncIterator, Iterator

import pytest

import tenure


@pytest.fixture(scope="session")
def server() -> str:
    return os.environ["TENURE_SERVER"]


@pytest.fixture
def client(server: str) -> Iterator[tenure.Client]:
    with tenure.connect(server, f"python {uuid.uuid4().hex}") as client:
        client.create_namespace()
        yield client


@pytest.fixture
async def aio(server: str) -> AsyncIterator[tenure.aio.Client]:
    async with tenure.aio.connect(server, f"python {uuid.uuid4().hex}") as client:
        await client.create_namespace()
        yield client
