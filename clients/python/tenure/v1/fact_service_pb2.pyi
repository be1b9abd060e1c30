from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TransactMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRANSACT_MODE_UNSPECIFIED: _ClassVar[TransactMode]
    TRANSACT_MODE_ATOMIC: _ClassVar[TransactMode]
    TRANSACT_MODE_PARTIAL: _ClassVar[TransactMode]

class OutcomeStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_STATUS_UNSPECIFIED: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_APPLIED: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_NO_CHANGE: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_NO_MATCH: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_BLOCKED: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_REPLAYED: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_CONTESTED: _ClassVar[OutcomeStatus]
    OUTCOME_STATUS_INVALID: _ClassVar[OutcomeStatus]
TRANSACT_MODE_UNSPECIFIED: TransactMode
TRANSACT_MODE_ATOMIC: TransactMode
TRANSACT_MODE_PARTIAL: TransactMode
OUTCOME_STATUS_UNSPECIFIED: OutcomeStatus
OUTCOME_STATUS_APPLIED: OutcomeStatus
OUTCOME_STATUS_NO_CHANGE: OutcomeStatus
OUTCOME_STATUS_NO_MATCH: OutcomeStatus
OUTCOME_STATUS_BLOCKED: OutcomeStatus
OUTCOME_STATUS_REPLAYED: OutcomeStatus
OUTCOME_STATUS_CONTESTED: OutcomeStatus
OUTCOME_STATUS_INVALID: OutcomeStatus

class Triple(_message.Message):
    __slots__ = ("subject", "predicate", "object")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    predicate: str
    object: _record_pb2.Object
    def __init__(self, subject: _Optional[str] = ..., predicate: _Optional[str] = ..., object: _Optional[_Union[_record_pb2.Object, _Mapping]] = ...) -> None: ...

class Assert(_message.Message):
    __slots__ = ("triple", "to", "through", "at_least", "override", "evidence", "at", "deliberate", "contested_against_ids")
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    THROUGH_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DELIBERATE_FIELD_NUMBER: _ClassVar[int]
    CONTESTED_AGAINST_IDS_FIELD_NUMBER: _ClassVar[int]
    triple: Triple
    to: _time_pb2.Bound
    through: _time_pb2.CivilDate
    at_least: bool
    override: bool
    evidence: _record_pb2.Evidence
    at: _time_pb2.CivilDate
    deliberate: bool
    contested_against_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, triple: _Optional[_Union[Triple, _Mapping]] = ..., to: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., through: _Optional[_Union[_time_pb2.CivilDate, _Mapping]] = ..., at_least: bool = ..., override: bool = ..., evidence: _Optional[_Union[_record_pb2.Evidence, _Mapping]] = ..., at: _Optional[_Union[_time_pb2.CivilDate, _Mapping]] = ..., deliberate: bool = ..., contested_against_ids: _Optional[_Iterable[str]] = ..., **kwargs) -> None: ...

class End(_message.Message):
    __slots__ = ("triple", "at", "evidence")
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    triple: Triple
    at: _time_pb2.Bound
    evidence: _record_pb2.Evidence
    def __init__(self, triple: _Optional[_Union[Triple, _Mapping]] = ..., at: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., evidence: _Optional[_Union[_record_pb2.Evidence, _Mapping]] = ...) -> None: ...

class Retract(_message.Message):
    __slots__ = ("triple", "to", "correct", "block", "evidence")
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    triple: Triple
    to: _time_pb2.Bound
    correct: bool
    block: bool
    evidence: _record_pb2.Evidence
    def __init__(self, triple: _Optional[_Union[Triple, _Mapping]] = ..., to: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., correct: bool = ..., block: bool = ..., evidence: _Optional[_Union[_record_pb2.Evidence, _Mapping]] = ..., **kwargs) -> None: ...

class Supersede(_message.Message):
    __slots__ = ("subject", "predicate", "old_object", "new_object", "at", "expect_held", "evidence")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OLD_OBJECT_FIELD_NUMBER: _ClassVar[int]
    NEW_OBJECT_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    EXPECT_HELD_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    subject: str
    predicate: str
    old_object: _record_pb2.Object
    new_object: _record_pb2.Object
    at: _time_pb2.Bound
    expect_held: bool
    evidence: _record_pb2.Evidence
    def __init__(self, subject: _Optional[str] = ..., predicate: _Optional[str] = ..., old_object: _Optional[_Union[_record_pb2.Object, _Mapping]] = ..., new_object: _Optional[_Union[_record_pb2.Object, _Mapping]] = ..., at: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., expect_held: bool = ..., evidence: _Optional[_Union[_record_pb2.Evidence, _Mapping]] = ...) -> None: ...

class Correct(_message.Message):
    __slots__ = ("triple", "at", "new_object", "to", "evidence")
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    NEW_OBJECT_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    triple: Triple
    at: _time_pb2.Bound
    new_object: _record_pb2.Object
    to: _time_pb2.Bound
    evidence: _record_pb2.Evidence
    def __init__(self, triple: _Optional[_Union[Triple, _Mapping]] = ..., at: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., new_object: _Optional[_Union[_record_pb2.Object, _Mapping]] = ..., to: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., evidence: _Optional[_Union[_record_pb2.Evidence, _Mapping]] = ..., **kwargs) -> None: ...

class Merge(_message.Message):
    __slots__ = ("duplicate", "into")
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    INTO_FIELD_NUMBER: _ClassVar[int]
    duplicate: str
    into: str
    def __init__(self, duplicate: _Optional[str] = ..., into: _Optional[str] = ...) -> None: ...

class Unmerge(_message.Message):
    __slots__ = ("duplicate",)
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    duplicate: str
    def __init__(self, duplicate: _Optional[str] = ...) -> None: ...

class DeclarePredicate(_message.Message):
    __slots__ = ("predicate", "cardinality")
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    CARDINALITY_FIELD_NUMBER: _ClassVar[int]
    predicate: str
    cardinality: _record_pb2.Cardinality
    def __init__(self, predicate: _Optional[str] = ..., cardinality: _Optional[_Union[_record_pb2.Cardinality, str]] = ...) -> None: ...

class Accept(_message.Message):
    __slots__ = ("statement_id", "trust")
    STATEMENT_ID_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    statement_id: str
    trust: _record_pb2.Trust
    def __init__(self, statement_id: _Optional[str] = ..., trust: _Optional[_Union[_record_pb2.Trust, str]] = ...) -> None: ...

class WithdrawSource(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: str
    def __init__(self, source: _Optional[str] = ...) -> None: ...

class AddEpisode(_message.Message):
    __slots__ = ("kind", "text", "speaker", "title", "session", "to", "source", "trust", "importance", "vector", "scope", "fold", "derived_from_ids")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    FOLD_FIELD_NUMBER: _ClassVar[int]
    DERIVED_FROM_IDS_FIELD_NUMBER: _ClassVar[int]
    kind: _record_pb2.EpisodeKind
    text: str
    speaker: str
    title: str
    session: str
    to: _time_pb2.Bound
    source: str
    trust: _record_pb2.Trust
    importance: float
    vector: _record_pb2.Vector
    scope: _record_pb2.Scope
    fold: _record_pb2.Fold
    derived_from_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[_record_pb2.EpisodeKind, str]] = ..., text: _Optional[str] = ..., speaker: _Optional[str] = ..., title: _Optional[str] = ..., session: _Optional[str] = ..., to: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., source: _Optional[str] = ..., trust: _Optional[_Union[_record_pb2.Trust, str]] = ..., importance: _Optional[float] = ..., vector: _Optional[_Union[_record_pb2.Vector, _Mapping]] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., fold: _Optional[_Union[_record_pb2.Fold, _Mapping]] = ..., derived_from_ids: _Optional[_Iterable[str]] = ..., **kwargs) -> None: ...

class RetractEpisode(_message.Message):
    __slots__ = ("episode_id",)
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    def __init__(self, episode_id: _Optional[str] = ...) -> None: ...

class Archive(_message.Message):
    __slots__ = ("fact", "episode_id", "scope")
    FACT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    fact: Triple
    episode_id: str
    scope: _record_pb2.Scope
    def __init__(self, fact: _Optional[_Union[Triple, _Mapping]] = ..., episode_id: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ...) -> None: ...

class Restore(_message.Message):
    __slots__ = ("fact", "episode_id", "scope")
    FACT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    fact: Triple
    episode_id: str
    scope: _record_pb2.Scope
    def __init__(self, fact: _Optional[_Union[Triple, _Mapping]] = ..., episode_id: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ("end", "retract", "supersede", "correct", "merge", "unmerge", "declare_predicate", "accept", "withdraw_source", "add_episode", "retract_episode", "archive", "restore")
    ASSERT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    RETRACT_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDE_FIELD_NUMBER: _ClassVar[int]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    MERGE_FIELD_NUMBER: _ClassVar[int]
    UNMERGE_FIELD_NUMBER: _ClassVar[int]
    DECLARE_PREDICATE_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    WITHDRAW_SOURCE_FIELD_NUMBER: _ClassVar[int]
    ADD_EPISODE_FIELD_NUMBER: _ClassVar[int]
    RETRACT_EPISODE_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_FIELD_NUMBER: _ClassVar[int]
    RESTORE_FIELD_NUMBER: _ClassVar[int]
    end: End
    retract: Retract
    supersede: Supersede
    correct: Correct
    merge: Merge
    unmerge: Unmerge
    declare_predicate: DeclarePredicate
    accept: Accept
    withdraw_source: WithdrawSource
    add_episode: AddEpisode
    retract_episode: RetractEpisode
    archive: Archive
    restore: Restore
    def __init__(self, end: _Optional[_Union[End, _Mapping]] = ..., retract: _Optional[_Union[Retract, _Mapping]] = ..., supersede: _Optional[_Union[Supersede, _Mapping]] = ..., correct: _Optional[_Union[Correct, _Mapping]] = ..., merge: _Optional[_Union[Merge, _Mapping]] = ..., unmerge: _Optional[_Union[Unmerge, _Mapping]] = ..., declare_predicate: _Optional[_Union[DeclarePredicate, _Mapping]] = ..., accept: _Optional[_Union[Accept, _Mapping]] = ..., withdraw_source: _Optional[_Union[WithdrawSource, _Mapping]] = ..., add_episode: _Optional[_Union[AddEpisode, _Mapping]] = ..., retract_episode: _Optional[_Union[RetractEpisode, _Mapping]] = ..., archive: _Optional[_Union[Archive, _Mapping]] = ..., restore: _Optional[_Union[Restore, _Mapping]] = ..., **kwargs) -> None: ...

class TransactRequest(_message.Message):
    __slots__ = ("namespace", "request_id", "operations", "mode", "dry_run")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    request_id: str
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    mode: TransactMode
    dry_run: bool
    def __init__(self, namespace: _Optional[str] = ..., request_id: _Optional[str] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., mode: _Optional[_Union[TransactMode, str]] = ..., dry_run: bool = ...) -> None: ...

class Displaced(_message.Message):
    __slots__ = ("fact_id", "statement_id")
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_ID_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    statement_id: str
    def __init__(self, fact_id: _Optional[str] = ..., statement_id: _Optional[str] = ...) -> None: ...

class Violation(_message.Message):
    __slots__ = ("field", "reason", "description")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    field: str
    reason: str
    description: str
    def __init__(self, field: _Optional[str] = ..., reason: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("status", "fact_id", "statement_id", "displaced", "conflict", "violations", "floored", "episode_id")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    FLOORED_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    status: OutcomeStatus
    fact_id: str
    statement_id: str
    displaced: _containers.RepeatedCompositeFieldContainer[Displaced]
    conflict: bool
    violations: _containers.RepeatedCompositeFieldContainer[Violation]
    floored: bool
    episode_id: str
    def __init__(self, status: _Optional[_Union[OutcomeStatus, str]] = ..., fact_id: _Optional[str] = ..., statement_id: _Optional[str] = ..., displaced: _Optional[_Iterable[_Union[Displaced, _Mapping]]] = ..., conflict: bool = ..., violations: _Optional[_Iterable[_Union[Violation, _Mapping]]] = ..., floored: bool = ..., episode_id: _Optional[str] = ...) -> None: ...

class TransactResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "outcomes", "replayed")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    outcomes: _containers.RepeatedCompositeFieldContainer[Outcome]
    replayed: bool
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., outcomes: _Optional[_Iterable[_Union[Outcome, _Mapping]]] = ..., replayed: bool = ...) -> None: ...

class GetFactRequest(_message.Message):
    __slots__ = ("namespace", "fact_id", "as_of")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    fact_id: str
    as_of: _time_pb2.AsOf
    def __init__(self, namespace: _Optional[str] = ..., fact_id: _Optional[str] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ...) -> None: ...

class GetFactResponse(_message.Message):
    __slots__ = ("rectangle", "basis")
    RECTANGLE_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    rectangle: _record_pb2.Rectangle
    basis: _time_pb2.Basis
    def __init__(self, rectangle: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class FactPattern(_message.Message):
    __slots__ = ("subject", "predicates", "object")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    predicates: _containers.RepeatedScalarFieldContainer[str]
    object: _record_pb2.Object
    def __init__(self, subject: _Optional[str] = ..., predicates: _Optional[_Iterable[str]] = ..., object: _Optional[_Union[_record_pb2.Object, _Mapping]] = ...) -> None: ...

class ListFactsRequest(_message.Message):
    __slots__ = ("namespace", "pattern", "as_of", "overlapping", "clamp", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    OVERLAPPING_FIELD_NUMBER: _ClassVar[int]
    CLAMP_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    pattern: FactPattern
    as_of: _time_pb2.AsOf
    overlapping: _time_pb2.Range
    clamp: bool
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., pattern: _Optional[_Union[FactPattern, _Mapping]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., overlapping: _Optional[_Union[_time_pb2.Range, _Mapping]] = ..., clamp: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFactsResponse(_message.Message):
    __slots__ = ("rectangles", "next_page_token", "basis")
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    rectangles: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    next_page_token: str
    basis: _time_pb2.Basis
    def __init__(self, rectangles: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class BatchGetFactsRequest(_message.Message):
    __slots__ = ("namespace", "patterns", "as_of", "limit")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PATTERNS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    patterns: _containers.RepeatedCompositeFieldContainer[FactPattern]
    as_of: _time_pb2.AsOf
    limit: int
    def __init__(self, namespace: _Optional[str] = ..., patterns: _Optional[_Iterable[_Union[FactPattern, _Mapping]]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class FactMatches(_message.Message):
    __slots__ = ("rectangles", "truncated")
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    rectangles: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    truncated: bool
    def __init__(self, rectangles: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., truncated: bool = ...) -> None: ...

class BatchGetFactsResponse(_message.Message):
    __slots__ = ("matches", "basis")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[FactMatches]
    basis: _time_pb2.Basis
    def __init__(self, matches: _Optional[_Iterable[_Union[FactMatches, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class GetTimelineRequest(_message.Message):
    __slots__ = ("namespace", "subject", "predicate", "known", "audit", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    AUDIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    subject: str
    predicate: str
    known: _time_pb2.TransactionPoint
    audit: bool
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., subject: _Optional[str] = ..., predicate: _Optional[str] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., audit: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetTimelineResponse(_message.Message):
    __slots__ = ("rectangles", "basis", "next_page_token")
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rectangles: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    basis: _time_pb2.Basis
    next_page_token: str
    def __init__(self, rectangles: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetBeliefHistoryRequest(_message.Message):
    __slots__ = ("namespace", "subject", "predicate", "valid", "known")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    VALID_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    subject: str
    predicate: str
    valid: _time_pb2.ValidPoint
    known: _time_pb2.TransactionPoint
    def __init__(self, namespace: _Optional[str] = ..., subject: _Optional[str] = ..., predicate: _Optional[str] = ..., valid: _Optional[_Union[_time_pb2.ValidPoint, _Mapping]] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ...) -> None: ...

class Belief(_message.Message):
    __slots__ = ("tx_from", "tx_from_time", "rectangles")
    TX_FROM_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_TIME_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    tx_from: int
    tx_from_time: _time_pb2.Instant
    rectangles: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    def __init__(self, tx_from: _Optional[int] = ..., tx_from_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., rectangles: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ...) -> None: ...

class GetBeliefHistoryResponse(_message.Message):
    __slots__ = ("beliefs", "basis")
    BELIEFS_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    beliefs: _containers.RepeatedCompositeFieldContainer[Belief]
    basis: _time_pb2.Basis
    def __init__(self, beliefs: _Optional[_Iterable[_Union[Belief, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class DiffFactsRequest(_message.Message):
    __slots__ = ("namespace", "to", "pattern", "page_size", "page_token", "plain_rows")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLAIN_ROWS_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    to: _time_pb2.AsOf
    pattern: FactPattern
    page_size: int
    page_token: str
    plain_rows: bool
    def __init__(self, namespace: _Optional[str] = ..., to: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., pattern: _Optional[_Union[FactPattern, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., plain_rows: bool = ..., **kwargs) -> None: ...

class ChangedFact(_message.Message):
    __slots__ = ("before", "after")
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    before: _record_pb2.Rectangle
    after: _record_pb2.Rectangle
    def __init__(self, before: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., after: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ...) -> None: ...

class DiffFactsResponse(_message.Message):
    __slots__ = ("removed", "added", "changed", "from_basis", "to_basis", "next_page_token")
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    FROM_BASIS_FIELD_NUMBER: _ClassVar[int]
    TO_BASIS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    removed: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    added: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    changed: _containers.RepeatedCompositeFieldContainer[ChangedFact]
    from_basis: _time_pb2.Basis
    to_basis: _time_pb2.Basis
    next_page_token: str
    def __init__(self, removed: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., added: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., changed: _Optional[_Iterable[_Union[ChangedFact, _Mapping]]] = ..., from_basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., to_basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ExplainFactRequest(_message.Message):
    __slots__ = ("namespace", "fact_id", "as_of")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    fact_id: str
    as_of: _time_pb2.AsOf
    def __init__(self, namespace: _Optional[str] = ..., fact_id: _Optional[str] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ...) -> None: ...

class ExplainedRectangle(_message.Message):
    __slots__ = ("rectangle", "supersedes")
    RECTANGLE_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    rectangle: _record_pb2.Rectangle
    supersedes: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    def __init__(self, rectangle: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., supersedes: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ...) -> None: ...

class ExplainFactResponse(_message.Message):
    __slots__ = ("visible", "owner_statement_id", "known_ended", "statements", "rectangles", "basis", "erasure_id")
    VISIBLE_FIELD_NUMBER: _ClassVar[int]
    OWNER_STATEMENT_ID_FIELD_NUMBER: _ClassVar[int]
    KNOWN_ENDED_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    ERASURE_ID_FIELD_NUMBER: _ClassVar[int]
    visible: _record_pb2.Rectangle
    owner_statement_id: str
    known_ended: bool
    statements: _containers.RepeatedCompositeFieldContainer[_record_pb2.Statement]
    rectangles: _containers.RepeatedCompositeFieldContainer[ExplainedRectangle]
    basis: _time_pb2.Basis
    erasure_id: str
    def __init__(self, visible: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., owner_statement_id: _Optional[str] = ..., known_ended: bool = ..., statements: _Optional[_Iterable[_Union[_record_pb2.Statement, _Mapping]]] = ..., rectangles: _Optional[_Iterable[_Union[ExplainedRectangle, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., erasure_id: _Optional[str] = ...) -> None: ...

class ListConflictsRequest(_message.Message):
    __slots__ = ("namespace", "subject", "known", "include_settled", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SETTLED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    subject: str
    known: _time_pb2.TransactionPoint
    include_settled: bool
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., subject: _Optional[str] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., include_settled: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListConflictsResponse(_message.Message):
    __slots__ = ("conflicts", "basis", "next_page_token")
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    conflicts: _containers.RepeatedCompositeFieldContainer[_record_pb2.Conflict]
    basis: _time_pb2.Basis
    next_page_token: str
    def __init__(self, conflicts: _Optional[_Iterable[_Union[_record_pb2.Conflict, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ImportFactsRequest(_message.Message):
    __slots__ = ("namespace", "operations", "deduplicate", "tx_time", "first_row")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    DEDUPLICATE_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    FIRST_ROW_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    deduplicate: bool
    tx_time: _time_pb2.Instant
    first_row: int
    def __init__(self, namespace: _Optional[str] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., deduplicate: bool = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., first_row: _Optional[int] = ...) -> None: ...

class RejectedRow(_message.Message):
    __slots__ = ("row", "violations")
    ROW_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    row: int
    violations: _containers.RepeatedCompositeFieldContainer[Violation]
    def __init__(self, row: _Optional[int] = ..., violations: _Optional[_Iterable[_Union[Violation, _Mapping]]] = ...) -> None: ...

class ImportFactsResponse(_message.Message):
    __slots__ = ("applied", "no_change", "replayed", "contested", "blocked", "no_match", "rejected", "rejected_rows", "tx")
    APPLIED_FIELD_NUMBER: _ClassVar[int]
    NO_CHANGE_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    CONTESTED_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_FIELD_NUMBER: _ClassVar[int]
    NO_MATCH_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_ROWS_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    applied: int
    no_change: int
    replayed: int
    contested: int
    blocked: int
    no_match: int
    rejected: int
    rejected_rows: _containers.RepeatedCompositeFieldContainer[RejectedRow]
    tx: int
    def __init__(self, applied: _Optional[int] = ..., no_change: _Optional[int] = ..., replayed: _Optional[int] = ..., contested: _Optional[int] = ..., blocked: _Optional[int] = ..., no_match: _Optional[int] = ..., rejected: _Optional[int] = ..., rejected_rows: _Optional[_Iterable[_Union[RejectedRow, _Mapping]]] = ..., tx: _Optional[int] = ...) -> None: ...

class ExportFactsRequest(_message.Message):
    __slots__ = ("namespace", "from_tx")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FROM_TX_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    from_tx: int
    def __init__(self, namespace: _Optional[str] = ..., from_tx: _Optional[int] = ...) -> None: ...

class ExportFactsResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "operations")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ...) -> None: ...

class WatchFactsRequest(_message.Message):
    __slots__ = ("namespace", "from_tx", "pattern")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FROM_TX_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    from_tx: int
    pattern: FactPattern
    def __init__(self, namespace: _Optional[str] = ..., from_tx: _Optional[int] = ..., pattern: _Optional[_Union[FactPattern, _Mapping]] = ...) -> None: ...

class WatchFactsResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "opened", "closed", "continued", "erased")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    CONTINUED_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    opened: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    closed: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    continued: bool
    erased: bool
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., opened: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., closed: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., continued: bool = ..., erased: bool = ...) -> None: ...
