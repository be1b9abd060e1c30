from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GateVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GATE_VERDICT_UNSPECIFIED: _ClassVar[GateVerdict]
    GATE_VERDICT_DROPPED: _ClassVar[GateVerdict]
    GATE_VERDICT_STORED: _ClassVar[GateVerdict]
    GATE_VERDICT_REINFORCED: _ClassVar[GateVerdict]
    GATE_VERDICT_MERGED: _ClassVar[GateVerdict]
    GATE_VERDICT_CONTESTED: _ClassVar[GateVerdict]
    GATE_VERDICT_REFUSED: _ClassVar[GateVerdict]
GATE_VERDICT_UNSPECIFIED: GateVerdict
GATE_VERDICT_DROPPED: GateVerdict
GATE_VERDICT_STORED: GateVerdict
GATE_VERDICT_REINFORCED: GateVerdict
GATE_VERDICT_MERGED: GateVerdict
GATE_VERDICT_CONTESTED: GateVerdict
GATE_VERDICT_REFUSED: GateVerdict

class Promotion(_message.Message):
    __slots__ = ("text", "turn_id", "verdict", "reason", "signals", "fact_ids", "episode_id", "existing_id", "cosine")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    EXISTING_ID_FIELD_NUMBER: _ClassVar[int]
    COSINE_FIELD_NUMBER: _ClassVar[int]
    text: str
    turn_id: str
    verdict: GateVerdict
    reason: str
    signals: _containers.RepeatedScalarFieldContainer[str]
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    episode_id: str
    existing_id: str
    cosine: float
    def __init__(self, text: _Optional[str] = ..., turn_id: _Optional[str] = ..., verdict: _Optional[_Union[GateVerdict, str]] = ..., reason: _Optional[str] = ..., signals: _Optional[_Iterable[str]] = ..., fact_ids: _Optional[_Iterable[str]] = ..., episode_id: _Optional[str] = ..., existing_id: _Optional[str] = ..., cosine: _Optional[float] = ...) -> None: ...

class Memory(_message.Message):
    __slots__ = ("text", "role", "kind", "title", "time", "source")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    text: str
    role: str
    kind: _record_pb2.EpisodeKind
    title: str
    time: _time_pb2.Bound
    source: str
    def __init__(self, text: _Optional[str] = ..., role: _Optional[str] = ..., kind: _Optional[_Union[_record_pb2.EpisodeKind, str]] = ..., title: _Optional[str] = ..., time: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ..., source: _Optional[str] = ...) -> None: ...

class RememberRequest(_message.Message):
    __slots__ = ("namespace", "request_id", "items", "scope", "dry_run")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    request_id: str
    items: _containers.RepeatedCompositeFieldContainer[Memory]
    scope: _record_pb2.Scope
    dry_run: bool
    def __init__(self, namespace: _Optional[str] = ..., request_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[Memory, _Mapping]]] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., dry_run: bool = ...) -> None: ...

class RememberResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "promotions", "replayed", "extract_skipped")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    PROMOTIONS_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    promotions: _containers.RepeatedCompositeFieldContainer[Promotion]
    replayed: bool
    extract_skipped: str
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., promotions: _Optional[_Iterable[_Union[Promotion, _Mapping]]] = ..., replayed: bool = ..., extract_skipped: _Optional[str] = ...) -> None: ...
