"""The MCP tools, used by the official Python SDK over both transports and in both lifecycles.

Usage: check.py TENURE, where TENURE is the binary. Prints one line when all is well.
"""

import asyncio
import json
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mcp_types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

TENURE = str(Path(sys.argv[1]).resolve())
REMEMBER = "Ann said that she moved to Acme in March 2021 and leads the checkout team."


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tenure(server, *words):
    done = subprocess.run([TENURE, "--server", server, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


class Server:
    def __enter__(self):
        self.home = tempfile.TemporaryDirectory()
        address = f"127.0.0.1:{free_port()}"
        self.url = f"http://{address}"
        words = ["serve", "--data", self.home.name, "--listen", address]
        self.log = open(Path(self.home.name) / "log", "w")
        self.process = subprocess.Popen([TENURE, *words], stderr=self.log)
        for _ in range(600):
            if self.process.poll() is not None:
                raise AssertionError(Path(self.log.name).read_text())
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(address.rsplit(":")[-1]))) == 0:
                    return self
            time.sleep(0.05)
        raise AssertionError("the server does not listen")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            assert self.process.wait(30) == 0, "an unclean end"
        finally:
            self.process.kill()
            self.log.close()
            self.home.cleanup()


def stdio(server, namespace, *more):
    words = ["--server", server, "--namespace", namespace, "mcp", *more]
    return StdioServerParameters(command=TENURE, args=words)


def text(result):
    return "\n".join(block.text for block in result.content)


async def call(client, name, **arguments):
    """A call that works. The SDK has checked its result against the schema of the tool."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, (name, arguments, text(result))
    assert text(result), name
    return result.structured_content


async def refused(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    assert result.is_error, (name, arguments, result)
    error = result.structured_content["error"]
    assert text(result).startswith(error["reason"]), text(result)
    return error


def objects(answer):
    return [fact.get("object", fact.get("value")) for fact in answer["facts"]]


async def check_offers(client):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "remember", "recall", "assert_fact", "end_fact", "correct_fact", "retract_fact",
        "facts_as_of", "timeline", "what_changed", "connections", "explain", "forget",
        "build_context", "conversation_search", "core_memory_append", "core_memory_replace",
    ]
    for tool in tools:
        reads = tool.annotations.read_only_hint
        assert reads is (tool.name in {
            "recall", "facts_as_of", "timeline", "what_changed", "connections", "explain",
            "build_context", "conversation_search"})
        assert reads or tool.annotations.destructive_hint is (
            tool.name in {"end_fact", "correct_fact", "retract_fact", "forget",
                          "core_memory_replace"})
        assert tool.output_schema["type"] == "object" and tool.description
    prompts = (await client.list_prompts()).prompts
    guide = await client.get_prompt(prompts[0].name)
    assert "correct_fact" in guide.messages[0].content.text
    resources = [str(found.uri) for found in (await client.list_resources()).resources]
    assert resources == ["tenure://guide", "tenure://predicates"]
    try:
        await client.read_resource("tenure://nothing")
    except MCPError:
        pass
    else:
        raise AssertionError("a resource that is not there was read")


async def check_memory(client):
    await check_offers(client)
    kept = await call(client, "remember", text=REMEMBER, speaker="Ann", when="2021-03-20",
                      facts=[{"subject": "Ann", "predicate": "works_at", "object": "Acme",
                              "from": "2021-03", "single": True},
                             {"subject": "Ann", "predicate": "leads", "object": "checkout"}])
    assert kept["episode_id"].startswith("ep") and len(kept["facts"]["outcomes"]) == 3
    await call(client, "assert_fact", subject="Ann", predicate="works_at", object="Zeno",
               **{"from": "2024"})
    await call(client, "assert_fact", subject="Acme", predicate="employees", value=40)
    at = {"subject": "Ann", "predicates": ["works_at"]}
    assert objects(await call(client, "facts_as_of", **at, as_of="2022")) == ["Acme"]
    now = await call(client, "facts_as_of", **at)
    assert objects(now) == ["Zeno"]
    history = await call(client, "timeline", subject="Ann", predicate="works_at")
    assert [(f["object"], f["from"], f.get("to")) for f in history["facts"]] == [
        ("Acme", "2021-03-01", "2024-01-01"), ("Zeno", "2024-01-01", None)]

    hits = (await call(client, "recall", query="Where does Ann work?"))["hits"]
    assert any(hit.get("fact", {}).get("object") == "Zeno" for hit in hits), hits
    before = await call(client, "recall", query="Where does Ann work?", as_of="2022")
    shown = [hit.get("fact", {}).get("object") for hit in before["hits"]]
    assert "Acme" in shown and "Zeno" not in shown, shown

    await call(client, "correct_fact", subject="Ann", predicate="works_at", object="Zeno",
               new_object="Zenith", at="2025")
    assert objects(await call(client, "facts_as_of", **at)) == ["Zenith"]
    then = await call(client, "facts_as_of", **at, as_of=now["as_of"], known_at=now["known_at"])
    assert then == now, "the past does not change"
    learnt = await call(client, "what_changed", known_from=now["known_at"], subject="Ann")
    assert learnt["changed"][0]["before"]["object"] == "Zeno", learnt
    assert learnt["changed"][0]["after"]["object"] == "Zenith"

    await call(client, "assert_fact", subject="Zenith", predicate="part_of", object="Group")
    paths = (await call(client, "connections", start="Ann", target="Group"))["paths"]
    assert [step["fact"]["object"] for step in paths[0]["steps"]] == ["Zenith", "Group"]
    around = (await call(client, "connections", start="Ann"))["paths"][0]["steps"]
    assert {step["fact"]["predicate"] for step in around} == {"works_at", "leads"}

    fact = (await call(client, "facts_as_of", **at))["facts"][0]
    why = await call(client, "explain", fact_id=fact["fact_id"])
    assert why["holds"]["object"] == "Zenith" and len(why["statements"]) > 2
    await call(client, "end_fact", subject="Ann", predicate="leads", object="checkout")
    await call(client, "retract_fact", subject="Acme", predicate="employees", value=40)
    assert objects(await call(client, "facts_as_of", subject="Acme")) == []
    gone = await call(client, "forget", episode_id=kept["episode_id"])
    assert gone["outcomes"][0]["status"] == "applied"
    await call(client, "forget", fact_id=fact["fact_id"])
    assert objects(await call(client, "facts_as_of", **at)) != ["Zenith"]
    await call(client, "remember", text="The lamp by the door is green.", speaker="user",
               session="monday")
    said = await call(client, "conversation_search", query="lamp by the door", session="monday")
    assert said["turns"][0]["text"] == "The lamp by the door is green.", said
    label = secrets.token_hex(4)
    await call(client, "core_memory_append", label=label, text="Ann likes tea.")
    block = await call(client, "core_memory_replace", label=label, old="tea", new="coffee")
    assert block["text"] == "Ann likes coffee.", block
    built = await call(client, "build_context", query="Who leads checkout?")
    assert "Ann likes coffee." in built["context"] and built["tokens"] > 0, built
    predicates = await client.read_resource("tenure://predicates")
    listed = {found["name"]: found["single"] for found in json.loads(predicates.contents[0].text)}
    assert listed["works_at"] is True and listed["leads"] is False


async def check_refusals(client):
    bad = await refused(client, "assert_fact", subject="", predicate="p", object="o",
                        **{"from": "2021-13"}, confidence=2)
    assert bad["reason"] == "MISSING_FIELD", bad
    fields = {found["field"]: found["reason"] for found in bad["violations"]}
    assert fields["operations[0].assert.from"] == "DATE_INVALID", fields
    assert fields["operations[0].assert.evidence.confidence"] == "NUMBER_INVALID", fields
    odd = await refused(client, "assert_fact", subject="a", predicate="p", object="o", colour="red")
    assert odd["reason"] == "MALFORMED_FIELD" and "colour" in odd["message"], odd
    typed = await refused(client, "recall", query="x", limit="many")
    assert typed["violations"][0]["field"] == "limit", typed
    both = await refused(client, "assert_fact", subject="a", predicate="p", object="o", value=1)
    assert both["reason"] == "MALFORMED_FIELD", both
    assert (await refused(client, "recall", query=""))["reason"] == "MISSING_FIELD"
    unknown = await refused(client, "connections", start="nobody at all")
    assert unknown["reason"] == "ENTITY_UNKNOWN", unknown
    assert (await refused(client, "forget"))["reason"] == "MALFORMED_FIELD"
    late = await refused(client, "remember", text="kept?", facts=[
        {"subject": "a", "predicate": "p", "object": "o", "from": "2025", "to": "2020"}])
    assert late["reason"] == "INVERTED_INTERVAL", late
    kept = await call(client, "recall", query="kept?")
    assert not any(hit["text"] == "kept?" for hit in kept["hits"]), "nothing of it is kept"
    try:
        await client.call_tool("wish", {})
    except MCPError:
        return
    raise AssertionError("a tool that is not there was called")


async def check_elsewhere(client):
    error = await refused(client, "facts_as_of")
    assert error["reason"] == "NAMESPACE_UNKNOWN", error


async def check_graph(client):
    tools = (await client.list_tools()).tools
    assert len(tools) == 9
    person = {"name": "Bo Li", "entityType": "person", "observations": ["plays go", "speaks Thai"]}
    firm = {"name": "Initech", "entityType": "firm", "observations": []}
    made = await call(client, "create_entities", entities=[person, firm])
    assert made == {"entities": [person, firm]}
    assert await call(client, "create_entities", entities=[person]) == {"entities": []}
    works = {"from": "Bo Li", "to": "Initech", "relationType": "works at"}
    assert await call(client, "create_relations", relations=[works]) == {"relations": [works]}
    assert await call(client, "create_relations", relations=[works]) == {"relations": []}
    lost = await refused(client, "create_relations", relations=[{**works, "to": "Nowhere"}])
    assert lost["reason"] == "ENTITY_UNKNOWN" and "not found" in lost["message"]
    added = await call(client, "add_observations", observations=[
        {"entityName": "Bo Li", "contents": ["plays go", "likes tea"]}])
    assert added == {"results": [{"entityName": "Bo Li", "addedObservations": ["likes tea"]}]}
    person["observations"].append("likes tea")
    whole = await call(client, "read_graph")
    assert whole == {"entities": [person, firm], "relations": [works]}, whole
    assert await call(client, "search_nodes", query="TEA") == {
        "entities": [person], "relations": [works]}
    assert await call(client, "open_nodes", names=["initech", "nobody"]) == {
        "entities": [firm], "relations": [works]}
    done = await call(client, "delete_observations", deletions=[
        {"entityName": "Bo Li", "observations": ["likes tea", "likes rain"]}])
    assert done["message"].startswith("Deleted 1 of 2"), done
    await call(client, "delete_relations", relations=[works])
    gone = await call(client, "delete_entities", entityNames=["Initech", "nobody"])
    assert "Not found: nobody" in gone["message"], gone
    person["observations"].remove("likes tea")
    assert await call(client, "read_graph") == {"entities": [person], "relations": []}


async def check_unreachable():
    async with Client(stdio(f"http://127.0.0.1:{free_port()}", "default")) as client:
        error = await refused(client, "facts_as_of")
        assert error["reason"] == "UNAVAILABLE" and "refused" in error["message"], error


def check_import(server, namespace):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(json.dumps({"type": "entity", "name": "Cy", "entityType": "cat",
                               "observations": ["sleeps"]}) + "\n")
        file.write(json.dumps({"type": "relation", "from": "Cy", "to": "Bo Li",
                               "relationType": "lives with"}) + "\n")
        file.flush()
        words = ["--namespace", namespace, "import", file.name, "--format", "memory-jsonl"]
        assert "1 entities and 1 relations" in tenure(server, *words)
        tenure(server, *words)


async def check_imported(client):
    found = await call(client, "open_nodes", names=["Cy"])
    assert found["entities"][0]["observations"] == ["sleeps"], found
    assert found["relations"] == [{"from": "Cy", "to": "Bo Li", "relationType": "lives with"}]


async def main():
    current, handshake = mcp_types.LATEST_PROTOCOL_VERSION, "legacy"
    seen = set()
    with Server() as server:
        ways = [("stdio", "auto"), ("http", "auto"), ("stdio", handshake), ("http", handshake)]
        for place, (transport, mode) in enumerate(ways):
            names = [f"memory-{place}", f"graph-{place}"]
            for name in names:
                tenure(server.url, "namespace", "create", name)
            if transport == "stdio":
                targets = [stdio(server.url, names[0]), stdio(server.url, "nowhere"),
                           stdio(server.url, names[1], "--profile", "memory")]
            else:
                targets = [f"{server.url}/mcp/{names[0]}", f"{server.url}/mcp",
                           f"{server.url}/mcp-memory/{names[1]}"]
            async with Client(targets[0], mode=mode) as client:
                seen.add(client.protocol_version)
                await check_memory(client)
                await check_refusals(client)
            async with Client(targets[1], mode=mode) as client:
                await check_elsewhere(client)
            async with Client(targets[2], mode=mode) as client:
                await check_graph(client)
                check_import(server.url, names[1])
                await check_imported(client)
    assert current in seen and len(seen) > 1, seen
    await check_unreachable()
    print(f"MCP works over stdio and HTTP, revisions {', '.join(sorted(seen))}")


asyncio.run(main())
