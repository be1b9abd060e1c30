from tenure.v1 import fact_service_pb2 as _fact_service_pb2
from tenure.v1 import graph_service_pb2 as _graph_service_pb2
from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HitKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HIT_KIND_UNSPECIFIED: _ClassVar[HitKind]
    HIT_KIND_FACT: _ClassVar[HitKind]
    HIT_KIND_EPISODE: _ClassVar[HitKind]
    HIT_KIND_ENTITY: _ClassVar[HitKind]

class Leg(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEG_UNSPECIFIED: _ClassVar[Leg]
    LEG_TEXT: _ClassVar[Leg]
    LEG_VECTOR: _ClassVar[Leg]
    LEG_GRAPH: _ClassVar[Leg]

class Fusion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FUSION_UNSPECIFIED: _ClassVar[Fusion]
    FUSION_RELATIVE_SCORE: _ClassVar[Fusion]
    FUSION_RECIPROCAL_RANK: _ClassVar[Fusion]

class RecallProfile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_PROFILE_UNSPECIFIED: _ClassVar[RecallProfile]
    RECALL_PROFILE_BALANCED: _ClassVar[RecallProfile]
    RECALL_PROFILE_WEIGHTED: _ClassVar[RecallProfile]
    RECALL_PROFILE_GENERATIVE_AGENTS: _ClassVar[RecallProfile]

class RecallMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_MODE_UNSPECIFIED: _ClassVar[RecallMode]
    RECALL_MODE_CURRENT: _ClassVar[RecallMode]
    RECALL_MODE_HISTORY: _ClassVar[RecallMode]

class LegStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEG_STATUS_UNSPECIFIED: _ClassVar[LegStatus]
    LEG_STATUS_SEARCHED: _ClassVar[LegStatus]
    LEG_STATUS_BEHIND: _ClassVar[LegStatus]
    LEG_STATUS_SKIPPED: _ClassVar[LegStatus]
    LEG_STATUS_FAILED: _ClassVar[LegStatus]
HIT_KIND_UNSPECIFIED: HitKind
HIT_KIND_FACT: HitKind
HIT_KIND_EPISODE: HitKind
HIT_KIND_ENTITY: HitKind
LEG_UNSPECIFIED: Leg
LEG_TEXT: Leg
LEG_VECTOR: Leg
LEG_GRAPH: Leg
FUSION_UNSPECIFIED: Fusion
FUSION_RELATIVE_SCORE: Fusion
FUSION_RECIPROCAL_RANK: Fusion
RECALL_PROFILE_UNSPECIFIED: RecallProfile
RECALL_PROFILE_BALANCED: RecallProfile
RECALL_PROFILE_WEIGHTED: RecallProfile
RECALL_PROFILE_GENERATIVE_AGENTS: RecallProfile
RECALL_MODE_UNSPECIFIED: RecallMode
RECALL_MODE_CURRENT: RecallMode
RECALL_MODE_HISTORY: RecallMode
LEG_STATUS_UNSPECIFIED: LegStatus
LEG_STATUS_SEARCHED: LegStatus
LEG_STATUS_BEHIND: LegStatus
LEG_STATUS_SKIPPED: LegStatus
LEG_STATUS_FAILED: LegStatus

class AddEpisodesRequest(_message.Message):
    __slots__ = ("namespace", "request_id", "episodes")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    request_id: str
    episodes: _containers.RepeatedCompositeFieldContainer[_fact_service_pb2.AddEpisode]
    def __init__(self, namespace: _Optional[str] = ..., request_id: _Optional[str] = ..., episodes: _Optional[_Iterable[_Union[_fact_service_pb2.AddEpisode, _Mapping]]] = ...) -> None: ...

class AddEpisodesResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "episode_ids", "replayed")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    EPISODE_IDS_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    episode_ids: _containers.RepeatedScalarFieldContainer[str]
    replayed: bool
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., episode_ids: _Optional[_Iterable[str]] = ..., replayed: bool = ...) -> None: ...

class GetEpisodeRequest(_message.Message):
    __slots__ = ("namespace", "episode_id", "as_of")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    episode_id: str
    as_of: _time_pb2.AsOf
    def __init__(self, namespace: _Optional[str] = ..., episode_id: _Optional[str] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ...) -> None: ...

class GetEpisodeResponse(_message.Message):
    __slots__ = ("episode", "basis")
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    episode: _record_pb2.Episode
    basis: _time_pb2.Basis
    def __init__(self, episode: _Optional[_Union[_record_pb2.Episode, _Mapping]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class ListEpisodesRequest(_message.Message):
    __slots__ = ("namespace", "session", "kinds", "as_of", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    session: str
    kinds: _containers.RepeatedScalarFieldContainer[_record_pb2.EpisodeKind]
    as_of: _time_pb2.AsOf
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., session: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[_record_pb2.EpisodeKind, str]]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEpisodesResponse(_message.Message):
    __slots__ = ("episodes", "next_page_token", "basis")
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    episodes: _containers.RepeatedCompositeFieldContainer[_record_pb2.Episode]
    next_page_token: str
    basis: _time_pb2.Basis
    def __init__(self, episodes: _Optional[_Iterable[_Union[_record_pb2.Episode, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class RecallFilter(_message.Message):
    __slots__ = ("kinds", "predicates", "entities", "sources", "trust_min", "confidence_min", "valid", "recorded_from", "recorded_to", "session")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    TRUST_MIN_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_MIN_FIELD_NUMBER: _ClassVar[int]
    VALID_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FROM_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TO_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[HitKind]
    predicates: _containers.RepeatedScalarFieldContainer[str]
    entities: _containers.RepeatedScalarFieldContainer[str]
    sources: _containers.RepeatedScalarFieldContainer[str]
    trust_min: _record_pb2.Trust
    confidence_min: float
    valid: _time_pb2.Range
    recorded_from: _time_pb2.TransactionPoint
    recorded_to: _time_pb2.TransactionPoint
    session: str
    def __init__(self, kinds: _Optional[_Iterable[_Union[HitKind, str]]] = ..., predicates: _Optional[_Iterable[str]] = ..., entities: _Optional[_Iterable[str]] = ..., sources: _Optional[_Iterable[str]] = ..., trust_min: _Optional[_Union[_record_pb2.Trust, str]] = ..., confidence_min: _Optional[float] = ..., valid: _Optional[_Union[_time_pb2.Range, _Mapping]] = ..., recorded_from: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., recorded_to: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., session: _Optional[str] = ...) -> None: ...

class RecallRequest(_message.Message):
    __slots__ = ("namespace", "query", "vector", "seeds", "as_of", "filter", "mode", "profile", "fusion", "legs", "limit", "token_budget", "score_min", "diversity", "hops", "rerank")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    FUSION_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    SCORE_MIN_FIELD_NUMBER: _ClassVar[int]
    DIVERSITY_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    query: str
    vector: _record_pb2.Vector
    seeds: _containers.RepeatedScalarFieldContainer[str]
    as_of: _time_pb2.AsOf
    filter: RecallFilter
    mode: RecallMode
    profile: RecallProfile
    fusion: Fusion
    legs: _containers.RepeatedScalarFieldContainer[Leg]
    limit: int
    token_budget: int
    score_min: float
    diversity: float
    hops: int
    rerank: bool
    def __init__(self, namespace: _Optional[str] = ..., query: _Optional[str] = ..., vector: _Optional[_Union[_record_pb2.Vector, _Mapping]] = ..., seeds: _Optional[_Iterable[str]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., filter: _Optional[_Union[RecallFilter, _Mapping]] = ..., mode: _Optional[_Union[RecallMode, str]] = ..., profile: _Optional[_Union[RecallProfile, str]] = ..., fusion: _Optional[_Union[Fusion, str]] = ..., legs: _Optional[_Iterable[_Union[Leg, str]]] = ..., limit: _Optional[int] = ..., token_budget: _Optional[int] = ..., score_min: _Optional[float] = ..., diversity: _Optional[float] = ..., hops: _Optional[int] = ..., rerank: bool = ...) -> None: ...

class LegReport(_message.Message):
    __slots__ = ("leg", "status", "reason", "detail", "found", "behind")
    LEG_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    BEHIND_FIELD_NUMBER: _ClassVar[int]
    leg: Leg
    status: LegStatus
    reason: str
    detail: str
    found: int
    behind: int
    def __init__(self, leg: _Optional[_Union[Leg, str]] = ..., status: _Optional[_Union[LegStatus, str]] = ..., reason: _Optional[str] = ..., detail: _Optional[str] = ..., found: _Optional[int] = ..., behind: _Optional[int] = ...) -> None: ...

class LegShare(_message.Message):
    __slots__ = ("leg", "rank", "score", "share")
    LEG_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    leg: Leg
    rank: int
    score: float
    share: float
    def __init__(self, leg: _Optional[_Union[Leg, str]] = ..., rank: _Optional[int] = ..., score: _Optional[float] = ..., share: _Optional[float] = ...) -> None: ...

class SignalShare(_message.Message):
    __slots__ = ("signal", "value", "share")
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    signal: str
    value: float
    share: float
    def __init__(self, signal: _Optional[str] = ..., value: _Optional[float] = ..., share: _Optional[float] = ...) -> None: ...

class Hit(_message.Message):
    __slots__ = ("kind", "fact", "episode", "entity", "text", "score", "legs", "signals", "sources", "path")
    KIND_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    kind: HitKind
    fact: _record_pb2.Rectangle
    episode: _record_pb2.Episode
    entity: _record_pb2.Entity
    text: str
    score: float
    legs: _containers.RepeatedCompositeFieldContainer[LegShare]
    signals: _containers.RepeatedCompositeFieldContainer[SignalShare]
    sources: _containers.RepeatedCompositeFieldContainer[_record_pb2.Statement]
    path: _containers.RepeatedCompositeFieldContainer[_graph_service_pb2.Step]
    def __init__(self, kind: _Optional[_Union[HitKind, str]] = ..., fact: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., episode: _Optional[_Union[_record_pb2.Episode, _Mapping]] = ..., entity: _Optional[_Union[_record_pb2.Entity, _Mapping]] = ..., text: _Optional[str] = ..., score: _Optional[float] = ..., legs: _Optional[_Iterable[_Union[LegShare, _Mapping]]] = ..., signals: _Optional[_Iterable[_Union[SignalShare, _Mapping]]] = ..., sources: _Optional[_Iterable[_Union[_record_pb2.Statement, _Mapping]]] = ..., path: _Optional[_Iterable[_Union[_graph_service_pb2.Step, _Mapping]]] = ...) -> None: ...

class Seed(_message.Message):
    __slots__ = ("entity", "words", "weight")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    entity: _record_pb2.Entity
    words: str
    weight: float
    def __init__(self, entity: _Optional[_Union[_record_pb2.Entity, _Mapping]] = ..., words: _Optional[str] = ..., weight: _Optional[float] = ...) -> None: ...

class RecallResponse(_message.Message):
    __slots__ = ("hits", "basis", "legs", "seeds", "left_out", "tokens", "rerank_skipped")
    HITS_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    RERANK_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[Hit]
    basis: _time_pb2.Basis
    legs: _containers.RepeatedCompositeFieldContainer[LegReport]
    seeds: _containers.RepeatedCompositeFieldContainer[Seed]
    left_out: int
    tokens: int
    rerank_skipped: str
    def __init__(self, hits: _Optional[_Iterable[_Union[Hit, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., legs: _Optional[_Iterable[_Union[LegReport, _Mapping]]] = ..., seeds: _Optional[_Iterable[_Union[Seed, _Mapping]]] = ..., left_out: _Optional[int] = ..., tokens: _Optional[int] = ..., rerank_skipped: _Optional[str] = ...) -> None: ...
