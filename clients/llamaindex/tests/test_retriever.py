"""The retriever against a real server, alone and in the parts of LlamaIndex that need no model."""

import json
import os
import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from llama_index.core import QueryBundle, Settings
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore

import tenure
from tenure import UNBOUNDED, Text, ops
from tenure.v1.admin_service_pb2 import CreateNamespaceRequest, EmbeddingSpace
from tenure.v1.fact_service_pb2 import AddEpisode, Operation
from tenure.v1.memory_service_pb2 import (
    HIT_KIND_ENTITY,
    HIT_KIND_EPISODE,
    HIT_KIND_FACT,
    LEG_TEXT,
    LEG_VECTOR,
    RECALL_MODE_HISTORY,
    RecallFilter,
)
from tenure.v1.record_pb2 import Vector
from tenure_llamaindex import TenureRetriever

Settings.llm = MockLLM()
FACTS = RecallFilter(kinds=[HIT_KIND_FACT])


@pytest.fixture
def client() -> Iterator[tenure.Client]:
    with tenure.connect(os.environ["TENURE_SERVER"], f"llamaindex {uuid.uuid4().hex}") as client:
        client.create_namespace()
        yield client


@pytest.fixture(params=["own", "thread"])
async def aio(request: pytest.FixtureRequest, client: tenure.Client) -> AsyncIterator[tenure.aio.Client | None]:
    if request.param == "thread":
        yield None
        return
    async with tenure.aio.connect(os.environ["TENURE_SERVER"], client.namespace) as aio:
        yield aio


@pytest.fixture
def told(client: tenure.Client) -> tuple[int, int]:
    said = ops.evidence("chat 1", trust="CONFIRMED", confidence=0.5, statement="I moved to Acme in 2020.")
    first = client.transact(
        [
            ops.declare("works_at", one=True),
            ops.assert_("Ann", "works_at", "Acme", from_="2020", evidence=said),
            ops.assert_("Acme", "part_of", "Holding", from_=UNBOUNDED),
            ops.assert_("Ann", "badge", Text("B-17"), from_="2021", to="2022"),
            Operation(add_episode=AddEpisode(text="Ann told of her work at the river.", speaker="Ann", session="s1")),
        ]
    )
    newer = ops.evidence("chat 2", trust="CONFIRMED")
    second = client.transact([ops.assert_("Ann", "works_at", "Zeno", from_="2022", evidence=newer)])
    return first.tx, second.tx


def works(nodes: list[NodeWithScore]) -> list[object]:
    return [n.metadata["object"] for n in nodes if n.metadata.get("predicate") == "works_at"]


def test_both_clocks(client: tenure.Client, told: tuple[int, int]) -> None:
    retriever = TenureRetriever(client, filter=FACTS)
    question = "where does Ann work?"
    assert works(retriever.retrieve(question)) == ["Zeno"]
    assert works(TenureRetriever(client, as_of="2021", filter=FACTS).retrieve(question)) == ["Acme"]
    assert works(retriever.at("2023").retrieve(question)) == ["Zeno"]
    assert works(retriever.at("2023", known_at=told[0]).retrieve(question)) == ["Acme"]
    history = TenureRetriever(client, filter=FACTS, mode=RECALL_MODE_HISTORY)
    assert works(history.retrieve(question)) == ["Acme", "Zeno"]


def test_a_node_says_why_it_is_there(client: tenure.Client, told: tuple[int, int]) -> None:
    nodes = TenureRetriever(client, as_of="2021-06", limit=20).retrieve("Ann's work at Acme")
    facts = {n.metadata["predicate"]: n for n in nodes if n.metadata["kind"] == "fact"}
    work = facts["works_at"]
    row = next(client.facts("Ann", "works_at", valid="2021-06"))
    assert work.text == "I moved to Acme in 2020." and work.score
    assert work.metadata["fact_id"] == row.fact_id
    assert work.metadata["valid_from"] == "2020-01-01T00:00:00Z"
    assert work.metadata["valid_to"] == "2022-01-01T00:00:00Z"
    assert (work.metadata["tx_from"], work.metadata["tx_to"]) == (told[1], None)
    [source] = work.metadata["sources"]
    assert (source["source"], source["trust"], source["confidence"]) == ("chat 1", "confirmed", 0.5)
    assert set(work.metadata["legs"]) >= {"text", "graph"}
    assert facts["badge"].metadata["object"] == "B-17"
    # Two hops: over Acme, which the question names too, so the path may begin there.
    path = facts["part_of"].metadata["path"]
    assert path[-1]["predicate"] == "part_of" and path[-1]["reversed"] is False
    assert len({n.node_id for n in nodes}) == len(nodes)
    assert json.loads(json.dumps(work.metadata)) == work.metadata
    shown = work.node.get_content(MetadataMode.LLM)
    assert "valid_from: 2020-01-01" in shown and "fact_id" not in shown
    assert work.node.get_content(MetadataMode.EMBED) == work.text


def test_episodes_and_entities(client: tenure.Client, told: tuple[int, int]) -> None:
    texts = TenureRetriever(client, filter=RecallFilter(kinds=[HIT_KIND_EPISODE], session="s1"))
    [node] = texts.retrieve("river")
    assert (node.text, node.metadata["speaker"]) == ("Ann told of her work at the river.", "Ann")
    assert node.node_id == node.metadata["episode_id"]
    names = TenureRetriever(client, filter=RecallFilter(kinds=[HIT_KIND_ENTITY]))
    assert "Acme" in [n.text for n in names.retrieve("Acme")]


async def test_the_same_without_waiting(
    client: tenure.Client, told: tuple[int, int], aio: tenure.aio.Client | None
) -> None:
    retriever = TenureRetriever(client, aio=aio, as_of="2021-06")
    expected = retriever.retrieve("where does Ann work?")
    found = await retriever.aretrieve("where does Ann work?")
    assert [n.node_id for n in found] == [n.node_id for n in expected]
    assert [n.score for n in found] == [n.score for n in expected]


def test_an_embedding_of_the_query_is_sent(client: tenure.Client) -> None:
    client.namespace += " own"
    space = EmbeddingSpace(dimension=3, supplied=True)
    client.admin.CreateNamespace(CreateNamespaceRequest(name=client.namespace, embedding=space))
    rows = []
    for name, numbers in (("left", [1, 0, 0.1]), ("right", [0, 1, 0.1])):
        row = ops.assert_("arrow", "points", name, from_="2020")
        getattr(row, "assert").evidence.vector.CopyFrom(Vector(numbers=numbers))
        rows.append(row)
    client.transact(rows)
    retriever = TenureRetriever(client, legs=[LEG_VECTOR], limit=1)
    [found] = retriever.retrieve(QueryBundle("?", embedding=[0.1, 0.9, 0]))
    assert found.metadata["object"] == "right" and list(found.metadata["legs"]) == ["vector"]
    with pytest.raises(tenure.FailedPrecondition) as refused:
        retriever.retrieve(QueryBundle("?", embedding=[0.1, 0.9]))
    assert refused.value.reason == "VECTOR_MISMATCH"


def test_in_a_query_engine(client: tenure.Client, told: tuple[int, int]) -> None:
    """Retriever, postprocessor and synthesizer; the answer without a model is the texts."""
    retriever = TenureRetriever(client, as_of="2021-06", filter=FACTS, legs=[LEG_TEXT])
    unfiltered = retriever.retrieve("Ann moved to Acme")
    cutoff = unfiltered[0].score
    assert cutoff and len(unfiltered) > 1
    engine = RetrieverQueryEngine(
        retriever,
        response_synthesizer=get_response_synthesizer(
            response_mode=ResponseMode.NO_TEXT
        ),
        node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=cutoff)],
    )
    response = engine.query("Ann moved to Acme")
    assert isinstance(response, Response)
    assert [n.text for n in response.source_nodes] == ["I moved to Acme in 2020."]


async def test_fused_with_another(client: tenure.Client, told: tuple[int, int]) -> None:
    """Two bases in one list: what was so and what is so."""
    now = TenureRetriever(client, filter=FACTS)
    fused = QueryFusionRetriever(
        [now, now.at("2021-06")], num_queries=1, use_async=False, similarity_top_k=10
    )
    assert set(works(fused.retrieve("where does Ann work?"))) == {"Acme", "Zeno"}
    assert set(works(await fused.aretrieve("where does Ann work?"))) == {"Acme", "Zeno"}
