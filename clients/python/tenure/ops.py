"""The operations of `Transact`, one function each.

The messages do as well; but `assert` and `from` are words that Python keeps for itself, and dates
and objects come wrapped. `None` leaves a field out, which often says something else than a value:
docs/data-model.md of the server.
"""

from __future__ import annotations

from collections.abc import Iterable

from tenure.objects import Target, to_object
from tenure.times import Date, End, Moment, bound, civil, named
from tenure.v1 import fact_service_pb2 as pb
from tenure.v1.fact_service_pb2 import Operation, Triple
from tenure.v1.record_pb2 import Cardinality, Evidence, Trust


def evidence(
    source: str = "",
    *,
    trust: Trust | str | None = None,
    confidence: float | None = None,
    statement: str = "",
    derived_from: Iterable[str] = (),
) -> Evidence:
    """Where a statement comes from. `trust` may be a word, such as "CONFIRMED"."""
    return Evidence(
        source=source,
        trust=_trust(trust),
        confidence=confidence,
        statement=statement,
        derived_from_ids=derived_from,
    )


def assert_(
    subject: str,
    predicate: str,
    object: Target,
    *,
    from_: End = None,
    to: End = None,
    through: Date | None = None,
    at: Date | None = None,
    at_least: bool = False,
    override: bool = False,
    deliberate: bool = False,
    evidence: Evidence | None = None,
    zone: str = "",
) -> Operation:
    """The triple holds. `through` is an inclusive end, `at` an event of one granule."""
    said = pb.Assert(
        **named(from_=bound(from_, zone)),
        triple=_triple(subject, predicate, object),
        to=bound(to, zone),
        through=None if through is None else civil(through, zone),
        at=None if at is None else civil(at, zone),
        at_least=at_least,
        override=override,
        deliberate=deliberate,
        evidence=evidence,
    )
    return Operation(**named(assert_=said))


def end(
    subject: str,
    predicate: str,
    object: Target,
    *,
    at: Moment | None = None,
    evidence: Evidence | None = None,
    zone: str = "",
) -> Operation:
    """The triple holds no longer."""
    triple = _triple(subject, predicate, object)
    return Operation(end=pb.End(triple=triple, at=bound(at, zone), evidence=evidence))


def retract(
    subject: str,
    predicate: str,
    object: Target,
    *,
    from_: End = None,
    to: End = None,
    correct: bool = False,
    block: bool = False,
    evidence: Evidence | None = None,
    zone: str = "",
) -> Operation:
    """The triple was never true, or not in a range."""
    said = pb.Retract(
        **named(from_=bound(from_, zone)),
        triple=_triple(subject, predicate, object),
        to=bound(to, zone),
        correct=correct,
        block=block,
        evidence=evidence,
    )
    return Operation(retract=said)


def supersede(
    subject: str,
    predicate: str,
    new_object: Target,
    *,
    old_object: Target | None = None,
    at: Moment | None = None,
    expect_held: bool = False,
    evidence: Evidence | None = None,
    zone: str = "",
) -> Operation:
    """The world changed: the new object holds in place of the old one from here on."""
    said = pb.Supersede(
        subject=subject,
        predicate=predicate,
        old_object=None if old_object is None else to_object(old_object),
        new_object=to_object(new_object),
        at=bound(at, zone),
        expect_held=expect_held,
        evidence=evidence,
    )
    return Operation(supersede=said)


def correct(
    subject: str,
    predicate: str,
    object: Target,
    *,
    at: Moment | None = None,
    new_object: Target | None = None,
    from_: End = None,
    to: End = None,
    evidence: Evidence | None = None,
    zone: str = "",
) -> Operation:
    """The record was wrong: around `at` it was another object, other bounds, or both."""
    said = pb.Correct(
        **named(from_=bound(from_, zone)),
        triple=_triple(subject, predicate, object),
        at=bound(at, zone),
        new_object=None if new_object is None else to_object(new_object),
        to=bound(to, zone),
        evidence=evidence,
    )
    return Operation(correct=said)


def merge(duplicate: str, into: str) -> Operation:
    """Two names of one entity."""
    return Operation(merge=pb.Merge(duplicate=duplicate, into=into))


def unmerge(duplicate: str) -> Operation:
    return Operation(unmerge=pb.Unmerge(duplicate=duplicate))


def declare(predicate: str, *, one: bool) -> Operation:
    """How many objects a predicate holds at one instant for one subject: one, or many."""
    cardinality = Cardinality.CARDINALITY_ONE if one else Cardinality.CARDINALITY_MANY
    said = pb.DeclarePredicate(predicate=predicate, cardinality=cardinality)
    return Operation(declare_predicate=said)


def accept(statement_id: str, *, trust: Trust | str | None = None) -> Operation:
    """Takes one side of a conflict."""
    return Operation(accept=pb.Accept(statement_id=statement_id, trust=_trust(trust)))


def withdraw_source(source: str) -> Operation:
    """All earlier statements of a source count as never said."""
    return Operation(withdraw_source=pb.WithdrawSource(source=source))


def _triple(subject: str, predicate: str, object: Target) -> Triple:
    return Triple(subject=subject, predicate=predicate, object=to_object(object))


def _trust(trust: Trust | str | None) -> Trust | str:
    if trust is None:
        return Trust.TRUST_UNSPECIFIED
    return f"TRUST_{trust}" if isinstance(trust, str) else trust
