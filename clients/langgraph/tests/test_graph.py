"""A compiled graph that remembers from one conversation to the next."""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from tenure_langgraph import TenureStore


class State(TypedDict, total=False):
    said: str
    remembered: list[str]


def remember(state: State, *, store: BaseStore) -> State:
    found = store.search(("users", "ann"), query=state["said"], limit=1)
    store.put(("users", "ann"), state["said"], {"text": state["said"]})
    return {"remembered": [item.value["text"] for item in found]}


async def test_a_graph_remembers(aio: TenureStore) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    builder.add_edge("remember", END)
    graph = builder.compile(store=aio)
    assert graph.invoke({"said": "I drink green tea"})["remembered"] == []
    told = graph.invoke({"said": "a cup of tea?"})
    assert told["remembered"] == ["I drink green tea"]


async def remember_later(state: State, *, store: BaseStore) -> State:
    await store.aput(("users", "bob"), "last", {"text": state["said"]})
    item = await store.aget(("users", "bob"), "last")
    return {"remembered": [item.value["text"]] if item else []}


async def test_a_graph_remembers_without_waiting(aio: TenureStore) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", remember_later)
    builder.add_edge(START, "remember")
    builder.add_edge("remember", END)
    graph = builder.compile(store=aio)
    told = await graph.ainvoke({"said": "I like trains"})
    assert told["remembered"] == ["I like trains"]
