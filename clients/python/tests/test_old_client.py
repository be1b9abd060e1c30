"""Clients of the released contract keep working: everything here is made from
`proto/baseline.binpb`, at run time, and knows nothing of what came after."""

import uuid
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

BASELINE = Path(__file__).parents[3] / "proto" / "baseline.binpb"


class OldClient:
    def __init__(self, channel: grpc.Channel) -> None:
        released = descriptor_pb2.FileDescriptorSet.FromString(BASELINE.read_bytes())
        self._channel = channel
        self._pool = descriptor_pool.DescriptorPool()
        for file in released.file:
            self._pool.Add(file)
        self.calls = {
            f"{file.package}.{service.name}/{call.name}": call
            for file in released.file
            for service in file.service
            for call in service.method
        }
        self.called: set[str] = set()

    def __call__(self, service: str, call: str, **request: Any) -> Any:
        """Every reply of the call, whether it streams or not."""
        path = f"tenure.v1.{service}/{call}"
        method = self.calls[path]
        sent, got = (self._message(name) for name in (method.input_type, method.output_type))
        kind = {
            (False, False): self._channel.unary_unary,
            (False, True): self._channel.unary_stream,
            (True, False): self._channel.stream_unary,
        }[method.client_streaming, method.server_streaming]
        send = kind(f"/{path}", sent.SerializeToString, got.FromString)
        message = sent(**request)
        self.called.add(path)
        reply = send(iter([message]) if method.client_streaming else message, timeout=30)
        return reply if method.server_streaming else [reply]

    def _message(self, name: str) -> Any:
        descriptor = self._pool.FindMessageTypeByName(name.removeprefix("."))
        return message_factory.GetMessageClass(descriptor)


def said(object: str, year: str) -> dict[str, Any]:
    triple = {"subject": "Ann", "predicate": "works_at", "object": {"entity": object}}
    return {"assert": {"triple": triple, "from": {"date": {"text": year}}}}


def test_every_released_call_is_answered(server: str) -> None:
    with grpc.insecure_channel(server) as channel:
        ask = OldClient(channel)
        home = f"old {uuid.uuid4().hex}"
        ask("AdminService", "Ping")
        assert next(iter(ask("AdminService", "CreateNamespace", name=home))).created
        one = {"declare_predicate": {"predicate": "works_at", "cardinality": "CARDINALITY_ONE"}}
        (written,) = ask("FactService", "Transact", namespace=home, operations=[one, said("Acme", "2020")])
        fact = written.outcomes[1].fact_id
        (brought,) = ask("FactService", "ImportFacts", namespace=home, operations=[said("Zeno", "2023")])
        assert brought.applied == 1

        of_ann = {"subject": "Ann"}
        in_2022 = {"valid": {"date": {"text": "2022"}}}
        in_2024 = {"valid": {"date": {"text": "2024"}}}
        (held,) = ask("FactService", "GetFact", namespace=home, fact_id=fact, as_of=in_2022)
        assert held.rectangle.object.entity == "Acme"
        (listed,) = ask("FactService", "ListFacts", namespace=home, pattern=of_ann, as_of=in_2024)
        assert [row.object.entity for row in listed.rectangles] == ["Zeno"]
        (many,) = ask("FactService", "BatchGetFacts", namespace=home, patterns=[of_ann], as_of=in_2022)
        assert len(many.matches[0].rectangles) == 1
        group = {"subject": "Ann", "predicate": "works_at"}
        (line,) = ask("FactService", "GetTimeline", namespace=home, **group)
        assert len(line.rectangles) == 2
        (history,) = ask("FactService", "GetBeliefHistory", namespace=home, valid=in_2024["valid"], **group)
        assert len(history.beliefs) == 2
        (diff,) = ask("FactService", "DiffFacts", **{"from": in_2022}, namespace=home, to=in_2024)
        assert len(diff.changed) == 1
        (why,) = ask("FactService", "ExplainFact", namespace=home, fact_id=fact)
        assert len(why.statements) == 2
        (quarrels,) = ask("FactService", "ListConflicts", namespace=home)
        assert not quarrels.conflicts
        assert [reply.tx for reply in ask("FactService", "ExportFacts", namespace=home)] == [1, 2]
        watch = ask("FactService", "WatchFacts", namespace=home, from_tx=1)
        assert next(watch).tx == 1
        watch.cancel()

        (steps,) = ask("GraphService", "Traverse", namespace=home, start="Ann", as_of=in_2022)
        assert steps.steps[0].hop == 1
        (paths,) = ask("GraphService", "FindPaths", namespace=home, start="Ann", target="Acme", as_of=in_2022)
        assert len(paths.paths) == 1
        (entity,) = ask("GraphService", "GetEntity", namespace=home, name="ann", as_of=in_2022)
        assert entity.entity.name == "Ann"
        (named,) = ask("GraphService", "ResolveEntity", namespace=home, text="is Ann at Acme")
        assert len(named.entities) == 2
        (entities,) = ask("GraphService", "ListEntities", namespace=home)
        assert len(entities.entities) == 3
        (predicates,) = ask("GraphService", "ListPredicates", namespace=home)
        assert predicates.predicates[0].name == "works_at"

        (namespaces,) = ask("AdminService", "ListNamespaces", page_size=1)
        assert len(namespaces.namespaces) == 1
        (counted,) = ask("AdminService", "GetStatistics", namespace=home)
        assert counted.transactions == 2
        (proof,) = ask("AdminService", "Verify", namespace=home)
        assert proof.clean
        ask("AdminService", "DeleteNamespace", name=home)
        assert ask.called == set(ask.calls), "a released call is not tried"
