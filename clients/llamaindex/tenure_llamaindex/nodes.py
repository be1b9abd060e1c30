"""A hit of Recall as a node.

Everything in its metadata is plain JSON, so that any store or postprocessor takes it. Times are
ISO 8601 in UTC, in any year; a bound that is not known is `None`.
"""

from __future__ import annotations

from typing import Any

import tenure
from llama_index.core.schema import NodeWithScore, TextNode
from tenure.v1.graph_service_pb2 import Step
from tenure.v1.memory_service_pb2 import Hit, HitKind, Leg
from tenure.v1.record_pb2 import EpisodeKind, Object, Rectangle, Statement, Trust
from tenure.v1.time_pb2 import Basis, Instant

#: What a model is shown beside the text: since when and until when it holds.
SHOWN = ("valid_from", "valid_to")


def to_node(hit: Hit, basis: Basis) -> NodeWithScore:
    kind = _word(HitKind.Name(hit.kind), "HIT_KIND_")
    said = {"fact": _fact, "episode": _episode, "entity": _entity}.get(kind, _nothing)
    id_, metadata = said(hit)
    metadata = {
        "kind": kind,
        **metadata,
        "sources": [_source(statement) for statement in hit.sources],
        "path": [_step(step) for step in hit.path],
        "legs": {
            _word(Leg.Name(share.leg), "LEG_"): {
                "rank": share.rank,
                "score": share.score,
                "share": share.share,
            }
            for share in hit.legs
        },
        "signals": {s.signal: {"value": s.value, "share": s.share} for s in hit.signals},
        "basis": {"valid_time": tenure.to_text(basis.valid_time), "tx": basis.tx},
    }
    node = TextNode(
        id_=id_,
        text=hit.text,
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
        excluded_llm_metadata_keys=_hidden(metadata),
    )
    return NodeWithScore(node=node, score=hit.score)


def _hidden(metadata: dict[str, Any]) -> list[str]:
    return [key for key in metadata if key not in SHOWN or metadata[key] is None]


def _fact(hit: Hit) -> tuple[str, dict[str, Any]]:
    row = hit.fact
    # One fact may hold several times, and each time is a node of its own.
    start = row.valid_from.unix_micros if row.HasField("valid_from") else "unknown"
    id_ = f"{row.fact_id}@{start}.{row.tx_from}"
    triple = {"subject": row.subject, "predicate": row.predicate, "object": _object(row.object)}
    return id_, {"fact_id": row.fact_id, **triple, **_bounds(row)}


def _episode(hit: Hit) -> tuple[str, dict[str, Any]]:
    episode = hit.episode
    return episode.id, {
        "episode_id": episode.id,
        "episode_kind": _word(EpisodeKind.Name(episode.kind), "EPISODE_KIND_"),
        "speaker": episode.speaker or None,
        "title": episode.title or None,
        "session": episode.session or None,
        "source": episode.source or None,
        "trust": _word(Trust.Name(episode.trust), "TRUST_"),
        **_bounds(episode),
    }


def _entity(hit: Hit) -> tuple[str, dict[str, Any]]:
    return hit.entity.id, {"entity_id": hit.entity.id, "name": hit.entity.name}


def _nothing(hit: Hit) -> tuple[str, dict[str, Any]]:
    raise ValueError(f"a hit of a kind this version does not know: {hit.kind}")


def _bounds(row: Any) -> dict[str, Any]:
    return {
        "valid_from": _time(row, "valid_from"),
        "valid_to": _time(row, "valid_to"),
        "tx_from": row.tx_from,
        "tx_to": row.tx_to if row.HasField("tx_to") else None,
        "tx_from_time": _time(row, "tx_from_time"),
        "tx_to_time": _time(row, "tx_to_time"),
    }


def _time(row: Any, field: str) -> str | None:
    value: Instant = getattr(row, field)
    return tenure.to_text(value) if row.HasField(field) else None


def _object(target: Object) -> str | bool | int | float | None:
    value = tenure.from_object(target)
    if target.value.WhichOneof("value") == "time":
        return tenure.to_text(target.value.time)
    return str(value) if isinstance(value, str) else value  # type: ignore[return-value]


def _source(statement: Statement) -> dict[str, Any]:
    evidence = statement.evidence
    return {
        "statement_id": statement.id,
        "source": evidence.source or None,
        "sentence": evidence.statement or None,
        "trust": _word(Trust.Name(evidence.trust), "TRUST_"),
        "confidence": evidence.confidence if evidence.HasField("confidence") else None,
        "episode_id": evidence.episode_id or None,
        "tx": statement.tx,
    }


def _step(step: Step) -> dict[str, Any]:
    row: Rectangle = step.rectangle
    return {
        "fact_id": row.fact_id,
        "subject": row.subject,
        "predicate": row.predicate,
        "object": _object(row.object),
        "reversed": step.reversed,
    }


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower()
