from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Cardinality(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARDINALITY_UNSPECIFIED: _ClassVar[Cardinality]
    CARDINALITY_ONE: _ClassVar[Cardinality]
    CARDINALITY_MANY: _ClassVar[Cardinality]

class Trust(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRUST_UNSPECIFIED: _ClassVar[Trust]
    TRUST_UNVERIFIED: _ClassVar[Trust]
    TRUST_INFERRED: _ClassVar[Trust]
    TRUST_STATED: _ClassVar[Trust]
    TRUST_CONFIRMED: _ClassVar[Trust]
    TRUST_SYSTEM_OF_RECORD: _ClassVar[Trust]

class EpisodeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EPISODE_KIND_UNSPECIFIED: _ClassVar[EpisodeKind]
    EPISODE_KIND_TURN: _ClassVar[EpisodeKind]
    EPISODE_KIND_PASSAGE: _ClassVar[EpisodeKind]
    EPISODE_KIND_TOOL_RESULT: _ClassVar[EpisodeKind]
    EPISODE_KIND_NOTE: _ClassVar[EpisodeKind]
    EPISODE_KIND_SUMMARY: _ClassVar[EpisodeKind]
    EPISODE_KIND_CORE: _ClassVar[EpisodeKind]
    EPISODE_KIND_REFLECTION: _ClassVar[EpisodeKind]
    EPISODE_KIND_PROCEDURE: _ClassVar[EpisodeKind]
    EPISODE_KIND_FAILURE: _ClassVar[EpisodeKind]

class CloseReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSE_REASON_UNSPECIFIED: _ClassVar[CloseReason]
    CLOSE_REASON_SUPERSEDED: _ClassVar[CloseReason]
    CLOSE_REASON_ENDED: _ClassVar[CloseReason]
    CLOSE_REASON_RETRACTED: _ClassVar[CloseReason]
    CLOSE_REASON_EXTENDED: _ClassVar[CloseReason]
    CLOSE_REASON_MERGED: _ClassVar[CloseReason]
    CLOSE_REASON_REGROUPED: _ClassVar[CloseReason]

class StatementKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STATEMENT_KIND_UNSPECIFIED: _ClassVar[StatementKind]
    STATEMENT_KIND_OPEN: _ClassVar[StatementKind]
    STATEMENT_KIND_DEFINITE: _ClassVar[StatementKind]
    STATEMENT_KIND_AT_LEAST: _ClassVar[StatementKind]
    STATEMENT_KIND_END: _ClassVar[StatementKind]
    STATEMENT_KIND_RETRACT: _ClassVar[StatementKind]
    STATEMENT_KIND_RETRACT_RANGE: _ClassVar[StatementKind]

class ConflictKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFLICT_KIND_UNSPECIFIED: _ClassVar[ConflictKind]
    CONFLICT_KIND_SAME_START: _ClassVar[ConflictKind]
    CONFLICT_KIND_OVERLAP: _ClassVar[ConflictKind]
    CONFLICT_KIND_CONTESTED: _ClassVar[ConflictKind]
CARDINALITY_UNSPECIFIED: Cardinality
CARDINALITY_ONE: Cardinality
CARDINALITY_MANY: Cardinality
TRUST_UNSPECIFIED: Trust
TRUST_UNVERIFIED: Trust
TRUST_INFERRED: Trust
TRUST_STATED: Trust
TRUST_CONFIRMED: Trust
TRUST_SYSTEM_OF_RECORD: Trust
EPISODE_KIND_UNSPECIFIED: EpisodeKind
EPISODE_KIND_TURN: EpisodeKind
EPISODE_KIND_PASSAGE: EpisodeKind
EPISODE_KIND_TOOL_RESULT: EpisodeKind
EPISODE_KIND_NOTE: EpisodeKind
EPISODE_KIND_SUMMARY: EpisodeKind
EPISODE_KIND_CORE: EpisodeKind
EPISODE_KIND_REFLECTION: EpisodeKind
EPISODE_KIND_PROCEDURE: EpisodeKind
EPISODE_KIND_FAILURE: EpisodeKind
CLOSE_REASON_UNSPECIFIED: CloseReason
CLOSE_REASON_SUPERSEDED: CloseReason
CLOSE_REASON_ENDED: CloseReason
CLOSE_REASON_RETRACTED: CloseReason
CLOSE_REASON_EXTENDED: CloseReason
CLOSE_REASON_MERGED: CloseReason
CLOSE_REASON_REGROUPED: CloseReason
STATEMENT_KIND_UNSPECIFIED: StatementKind
STATEMENT_KIND_OPEN: StatementKind
STATEMENT_KIND_DEFINITE: StatementKind
STATEMENT_KIND_AT_LEAST: StatementKind
STATEMENT_KIND_END: StatementKind
STATEMENT_KIND_RETRACT: StatementKind
STATEMENT_KIND_RETRACT_RANGE: StatementKind
CONFLICT_KIND_UNSPECIFIED: ConflictKind
CONFLICT_KIND_SAME_START: ConflictKind
CONFLICT_KIND_OVERLAP: ConflictKind
CONFLICT_KIND_CONTESTED: ConflictKind

class Value(_message.Message):
    __slots__ = ("boolean", "integer", "number", "time", "text")
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    INTEGER_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    boolean: bool
    integer: int
    number: float
    time: _time_pb2.Instant
    text: str
    def __init__(self, boolean: bool = ..., integer: _Optional[int] = ..., number: _Optional[float] = ..., time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class Object(_message.Message):
    __slots__ = ("entity", "value")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    entity: str
    value: Value
    def __init__(self, entity: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("source", "trust", "confidence", "statement", "derived_from_ids", "importance", "episode_id", "vector", "scope")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    DERIVED_FROM_IDS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    source: str
    trust: Trust
    confidence: float
    statement: str
    derived_from_ids: _containers.RepeatedScalarFieldContainer[str]
    importance: float
    episode_id: str
    vector: Vector
    scope: Scope
    def __init__(self, source: _Optional[str] = ..., trust: _Optional[_Union[Trust, str]] = ..., confidence: _Optional[float] = ..., statement: _Optional[str] = ..., derived_from_ids: _Optional[_Iterable[str]] = ..., importance: _Optional[float] = ..., episode_id: _Optional[str] = ..., vector: _Optional[_Union[Vector, _Mapping]] = ..., scope: _Optional[_Union[Scope, _Mapping]] = ...) -> None: ...

class Scope(_message.Message):
    __slots__ = ("owner", "labels")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    owner: str
    labels: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, owner: _Optional[str] = ..., labels: _Optional[_Iterable[str]] = ...) -> None: ...

class Vector(_message.Message):
    __slots__ = ("numbers", "model")
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    numbers: _containers.RepeatedScalarFieldContainer[float]
    model: str
    def __init__(self, numbers: _Optional[_Iterable[float]] = ..., model: _Optional[str] = ...) -> None: ...

class Fold(_message.Message):
    __slots__ = ("through", "turns", "generation", "closes")
    THROUGH_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    CLOSES_FIELD_NUMBER: _ClassVar[int]
    through: str
    turns: int
    generation: int
    closes: bool
    def __init__(self, through: _Optional[str] = ..., turns: _Optional[int] = ..., generation: _Optional[int] = ..., closes: bool = ...) -> None: ...

class Episode(_message.Message):
    __slots__ = ("id", "kind", "text", "speaker", "title", "session", "source", "trust", "importance", "valid_from", "valid_to", "tx_from", "tx_to", "tx_from_time", "tx_to_time", "scope", "fold", "derived_from_ids", "grounds_gone")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_TO_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_FIELD_NUMBER: _ClassVar[int]
    TX_TO_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_TIME_FIELD_NUMBER: _ClassVar[int]
    TX_TO_TIME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    FOLD_FIELD_NUMBER: _ClassVar[int]
    DERIVED_FROM_IDS_FIELD_NUMBER: _ClassVar[int]
    GROUNDS_GONE_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: EpisodeKind
    text: str
    speaker: str
    title: str
    session: str
    source: str
    trust: Trust
    importance: float
    valid_from: _time_pb2.Instant
    valid_to: _time_pb2.Instant
    tx_from: int
    tx_to: int
    tx_from_time: _time_pb2.Instant
    tx_to_time: _time_pb2.Instant
    scope: Scope
    fold: Fold
    derived_from_ids: _containers.RepeatedScalarFieldContainer[str]
    grounds_gone: bool
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[EpisodeKind, str]] = ..., text: _Optional[str] = ..., speaker: _Optional[str] = ..., title: _Optional[str] = ..., session: _Optional[str] = ..., source: _Optional[str] = ..., trust: _Optional[_Union[Trust, str]] = ..., importance: _Optional[float] = ..., valid_from: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., valid_to: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., tx_from: _Optional[int] = ..., tx_to: _Optional[int] = ..., tx_from_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., tx_to_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., scope: _Optional[_Union[Scope, _Mapping]] = ..., fold: _Optional[_Union[Fold, _Mapping]] = ..., derived_from_ids: _Optional[_Iterable[str]] = ..., grounds_gone: bool = ...) -> None: ...

class Rectangle(_message.Message):
    __slots__ = ("fact_id", "subject", "predicate", "object", "valid_from", "valid_to", "tx_from", "tx_to", "tx_from_time", "tx_to_time", "close_reason", "scope")
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_TO_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_FIELD_NUMBER: _ClassVar[int]
    TX_TO_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_TIME_FIELD_NUMBER: _ClassVar[int]
    TX_TO_TIME_FIELD_NUMBER: _ClassVar[int]
    CLOSE_REASON_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    subject: str
    predicate: str
    object: Object
    valid_from: _time_pb2.Instant
    valid_to: _time_pb2.Instant
    tx_from: int
    tx_to: int
    tx_from_time: _time_pb2.Instant
    tx_to_time: _time_pb2.Instant
    close_reason: CloseReason
    scope: Scope
    def __init__(self, fact_id: _Optional[str] = ..., subject: _Optional[str] = ..., predicate: _Optional[str] = ..., object: _Optional[_Union[Object, _Mapping]] = ..., valid_from: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., valid_to: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., tx_from: _Optional[int] = ..., tx_to: _Optional[int] = ..., tx_from_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., tx_to_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., close_reason: _Optional[_Union[CloseReason, str]] = ..., scope: _Optional[_Union[Scope, _Mapping]] = ...) -> None: ...

class Statement(_message.Message):
    __slots__ = ("id", "fact_id", "subject", "predicate", "object", "kind", "to", "from_written", "to_written", "evidence", "tx", "tx_time", "contested", "accepts_id", "withdrawn")
    ID_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    FROM_WRITTEN_FIELD_NUMBER: _ClassVar[int]
    TO_WRITTEN_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    CONTESTED_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_ID_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    id: str
    fact_id: str
    subject: str
    predicate: str
    object: Object
    kind: StatementKind
    to: _time_pb2.Instant
    from_written: _time_pb2.CivilDate
    to_written: _time_pb2.CivilDate
    evidence: Evidence
    tx: int
    tx_time: _time_pb2.Instant
    contested: bool
    accepts_id: str
    withdrawn: bool
    def __init__(self, id: _Optional[str] = ..., fact_id: _Optional[str] = ..., subject: _Optional[str] = ..., predicate: _Optional[str] = ..., object: _Optional[_Union[Object, _Mapping]] = ..., kind: _Optional[_Union[StatementKind, str]] = ..., to: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., from_written: _Optional[_Union[_time_pb2.CivilDate, _Mapping]] = ..., to_written: _Optional[_Union[_time_pb2.CivilDate, _Mapping]] = ..., evidence: _Optional[_Union[Evidence, _Mapping]] = ..., tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., contested: bool = ..., accepts_id: _Optional[str] = ..., withdrawn: bool = ..., **kwargs) -> None: ...

class Conflict(_message.Message):
    __slots__ = ("id", "kind", "raised_by", "against", "tx_from", "tx_to")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RAISED_BY_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    TX_FROM_FIELD_NUMBER: _ClassVar[int]
    TX_TO_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: ConflictKind
    raised_by: Statement
    against: _containers.RepeatedCompositeFieldContainer[Statement]
    tx_from: int
    tx_to: int
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[ConflictKind, str]] = ..., raised_by: _Optional[_Union[Statement, _Mapping]] = ..., against: _Optional[_Iterable[_Union[Statement, _Mapping]]] = ..., tx_from: _Optional[int] = ..., tx_to: _Optional[int] = ...) -> None: ...

class Entity(_message.Message):
    __slots__ = ("id", "name", "merged_into", "aliases")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MERGED_INTO_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    merged_into: str
    aliases: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., merged_into: _Optional[str] = ..., aliases: _Optional[_Iterable[str]] = ...) -> None: ...

class Predicate(_message.Message):
    __slots__ = ("name", "cardinality", "holds_values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CARDINALITY_FIELD_NUMBER: _ClassVar[int]
    HOLDS_VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    cardinality: Cardinality
    holds_values: bool
    def __init__(self, name: _Optional[str] = ..., cardinality: _Optional[_Union[Cardinality, str]] = ..., holds_values: bool = ...) -> None: ...
