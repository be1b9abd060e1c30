from tenure.v1 import core_memory_pb2 as _core_memory_pb2
from tenure.v1 import fact_service_pb2 as _fact_service_pb2
from tenure.v1 import gate_pb2 as _gate_pb2
from tenure.v1 import graph_service_pb2 as _graph_service_pb2
from tenure.v1 import policy_pb2 as _policy_pb2
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

class WindowKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WINDOW_KIND_UNSPECIFIED: _ClassVar[WindowKind]
    WINDOW_KIND_SLIDING: _ClassVar[WindowKind]
    WINDOW_KIND_SUMMARISING: _ClassVar[WindowKind]
    WINDOW_KIND_HIERARCHICAL: _ClassVar[WindowKind]
    WINDOW_KIND_COMPOSABLE: _ClassVar[WindowKind]

class SummaryMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUMMARY_METHOD_UNSPECIFIED: _ClassVar[SummaryMethod]
    SUMMARY_METHOD_EXTRACTIVE: _ClassVar[SummaryMethod]
    SUMMARY_METHOD_ABSTRACTIVE: _ClassVar[SummaryMethod]

class ContextSectionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEXT_SECTION_KIND_UNSPECIFIED: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_CORE: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_FACTS: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_PROJECT: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_FAILURES: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_STALE: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_UNVERIFIED: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_SUMMARY: _ClassVar[ContextSectionKind]
    CONTEXT_SECTION_KIND_TURNS: _ClassVar[ContextSectionKind]

class ContextLanguage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEXT_LANGUAGE_UNSPECIFIED: _ClassVar[ContextLanguage]
    CONTEXT_LANGUAGE_ENGLISH: _ClassVar[ContextLanguage]
    CONTEXT_LANGUAGE_KOREAN: _ClassVar[ContextLanguage]

class ContextFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEXT_FORMAT_UNSPECIFIED: _ClassVar[ContextFormat]
    CONTEXT_FORMAT_MARKDOWN: _ClassVar[ContextFormat]
    CONTEXT_FORMAT_TEXT: _ClassVar[ContextFormat]
    CONTEXT_FORMAT_STRUCTURED: _ClassVar[ContextFormat]
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
WINDOW_KIND_UNSPECIFIED: WindowKind
WINDOW_KIND_SLIDING: WindowKind
WINDOW_KIND_SUMMARISING: WindowKind
WINDOW_KIND_HIERARCHICAL: WindowKind
WINDOW_KIND_COMPOSABLE: WindowKind
SUMMARY_METHOD_UNSPECIFIED: SummaryMethod
SUMMARY_METHOD_EXTRACTIVE: SummaryMethod
SUMMARY_METHOD_ABSTRACTIVE: SummaryMethod
CONTEXT_SECTION_KIND_UNSPECIFIED: ContextSectionKind
CONTEXT_SECTION_KIND_CORE: ContextSectionKind
CONTEXT_SECTION_KIND_FACTS: ContextSectionKind
CONTEXT_SECTION_KIND_PROJECT: ContextSectionKind
CONTEXT_SECTION_KIND_FAILURES: ContextSectionKind
CONTEXT_SECTION_KIND_STALE: ContextSectionKind
CONTEXT_SECTION_KIND_UNVERIFIED: ContextSectionKind
CONTEXT_SECTION_KIND_SUMMARY: ContextSectionKind
CONTEXT_SECTION_KIND_TURNS: ContextSectionKind
CONTEXT_LANGUAGE_UNSPECIFIED: ContextLanguage
CONTEXT_LANGUAGE_ENGLISH: ContextLanguage
CONTEXT_LANGUAGE_KOREAN: ContextLanguage
CONTEXT_FORMAT_UNSPECIFIED: ContextFormat
CONTEXT_FORMAT_MARKDOWN: ContextFormat
CONTEXT_FORMAT_TEXT: ContextFormat
CONTEXT_FORMAT_STRUCTURED: ContextFormat

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
    __slots__ = ("kinds", "predicates", "entities", "sources", "trust_min", "confidence_min", "valid", "recorded_from", "recorded_to", "session", "episode_kinds", "include_archived")
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
    EPISODE_KINDS_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_ARCHIVED_FIELD_NUMBER: _ClassVar[int]
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
    episode_kinds: _containers.RepeatedScalarFieldContainer[_record_pb2.EpisodeKind]
    include_archived: bool
    def __init__(self, kinds: _Optional[_Iterable[_Union[HitKind, str]]] = ..., predicates: _Optional[_Iterable[str]] = ..., entities: _Optional[_Iterable[str]] = ..., sources: _Optional[_Iterable[str]] = ..., trust_min: _Optional[_Union[_record_pb2.Trust, str]] = ..., confidence_min: _Optional[float] = ..., valid: _Optional[_Union[_time_pb2.Range, _Mapping]] = ..., recorded_from: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., recorded_to: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., session: _Optional[str] = ..., episode_kinds: _Optional[_Iterable[_Union[_record_pb2.EpisodeKind, str]]] = ..., include_archived: bool = ...) -> None: ...

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
    __slots__ = ("kind", "fact", "episode", "entity", "text", "score", "legs", "signals", "sources", "path", "archived")
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
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
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
    archived: bool
    def __init__(self, kind: _Optional[_Union[HitKind, str]] = ..., fact: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., episode: _Optional[_Union[_record_pb2.Episode, _Mapping]] = ..., entity: _Optional[_Union[_record_pb2.Entity, _Mapping]] = ..., text: _Optional[str] = ..., score: _Optional[float] = ..., legs: _Optional[_Iterable[_Union[LegShare, _Mapping]]] = ..., signals: _Optional[_Iterable[_Union[SignalShare, _Mapping]]] = ..., sources: _Optional[_Iterable[_Union[_record_pb2.Statement, _Mapping]]] = ..., path: _Optional[_Iterable[_Union[_graph_service_pb2.Step, _Mapping]]] = ..., archived: bool = ...) -> None: ...

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

class Turn(_message.Message):
    __slots__ = ("role", "content", "time")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    role: str
    content: str
    time: _time_pb2.Bound
    def __init__(self, role: _Optional[str] = ..., content: _Optional[str] = ..., time: _Optional[_Union[_time_pb2.Bound, _Mapping]] = ...) -> None: ...

class SessionKey(_message.Message):
    __slots__ = ("session", "scope")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    session: str
    scope: _record_pb2.Scope
    def __init__(self, session: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ...) -> None: ...

class AppendTurnsRequest(_message.Message):
    __slots__ = ("namespace", "request_id", "key", "turns")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    request_id: str
    key: SessionKey
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    def __init__(self, namespace: _Optional[str] = ..., request_id: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ..., turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ...) -> None: ...

class AppendTurnsResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "episode_ids", "replayed", "summary", "promotions", "summary_pending")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    EPISODE_IDS_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    PROMOTIONS_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_PENDING_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    episode_ids: _containers.RepeatedScalarFieldContainer[str]
    replayed: bool
    summary: Summary
    promotions: _containers.RepeatedCompositeFieldContainer[_gate_pb2.Promotion]
    summary_pending: bool
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., episode_ids: _Optional[_Iterable[str]] = ..., replayed: bool = ..., summary: _Optional[_Union[Summary, _Mapping]] = ..., promotions: _Optional[_Iterable[_Union[_gate_pb2.Promotion, _Mapping]]] = ..., summary_pending: bool = ...) -> None: ...

class Summary(_message.Message):
    __slots__ = ("episode_id", "text", "tokens", "fold", "method", "trust", "model", "fallback_reason")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    FOLD_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_REASON_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    text: str
    tokens: int
    fold: _record_pb2.Fold
    method: SummaryMethod
    trust: _record_pb2.Trust
    model: str
    fallback_reason: str
    def __init__(self, episode_id: _Optional[str] = ..., text: _Optional[str] = ..., tokens: _Optional[int] = ..., fold: _Optional[_Union[_record_pb2.Fold, _Mapping]] = ..., method: _Optional[_Union[SummaryMethod, str]] = ..., trust: _Optional[_Union[_record_pb2.Trust, str]] = ..., model: _Optional[str] = ..., fallback_reason: _Optional[str] = ...) -> None: ...

class WindowTurn(_message.Message):
    __slots__ = ("turn", "tokens")
    TURN_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    turn: _record_pb2.Episode
    tokens: int
    def __init__(self, turn: _Optional[_Union[_record_pb2.Episode, _Mapping]] = ..., tokens: _Optional[int] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("namespace", "key", "window", "token_budget", "query", "as_of")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    key: SessionKey
    window: WindowKind
    token_budget: int
    query: str
    as_of: _time_pb2.AsOf
    def __init__(self, namespace: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ..., window: _Optional[_Union[WindowKind, str]] = ..., token_budget: _Optional[int] = ..., query: _Optional[str] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("pinned", "summaries", "recalled", "turns", "tokens", "over_budget", "tokenizer", "turn_count", "left_out", "ended", "basis")
    PINNED_FIELD_NUMBER: _ClassVar[int]
    SUMMARIES_FIELD_NUMBER: _ClassVar[int]
    RECALLED_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    OVER_BUDGET_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    TURN_COUNT_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    pinned: WindowTurn
    summaries: _containers.RepeatedCompositeFieldContainer[Summary]
    recalled: _containers.RepeatedCompositeFieldContainer[WindowTurn]
    turns: _containers.RepeatedCompositeFieldContainer[WindowTurn]
    tokens: int
    over_budget: bool
    tokenizer: str
    turn_count: int
    left_out: int
    ended: bool
    basis: _time_pb2.Basis
    def __init__(self, pinned: _Optional[_Union[WindowTurn, _Mapping]] = ..., summaries: _Optional[_Iterable[_Union[Summary, _Mapping]]] = ..., recalled: _Optional[_Iterable[_Union[WindowTurn, _Mapping]]] = ..., turns: _Optional[_Iterable[_Union[WindowTurn, _Mapping]]] = ..., tokens: _Optional[int] = ..., over_budget: bool = ..., tokenizer: _Optional[str] = ..., turn_count: _Optional[int] = ..., left_out: _Optional[int] = ..., ended: bool = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class ListTurnsRequest(_message.Message):
    __slots__ = ("namespace", "key", "as_of", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    key: SessionKey
    as_of: _time_pb2.AsOf
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTurnsResponse(_message.Message):
    __slots__ = ("turns", "next_page_token", "basis")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[_record_pb2.Episode]
    next_page_token: str
    basis: _time_pb2.Basis
    def __init__(self, turns: _Optional[_Iterable[_Union[_record_pb2.Episode, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class EndSessionRequest(_message.Message):
    __slots__ = ("namespace", "key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    key: SessionKey
    def __init__(self, namespace: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ...) -> None: ...

class EndSessionResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "summary", "replayed", "promotions", "extract_skipped")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    PROMOTIONS_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    summary: Summary
    replayed: bool
    promotions: _containers.RepeatedCompositeFieldContainer[_gate_pb2.Promotion]
    extract_skipped: str
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., summary: _Optional[_Union[Summary, _Mapping]] = ..., replayed: bool = ..., promotions: _Optional[_Iterable[_Union[_gate_pb2.Promotion, _Mapping]]] = ..., extract_skipped: _Optional[str] = ...) -> None: ...

class RegenerateSummaryRequest(_message.Message):
    __slots__ = ("namespace", "key")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    key: SessionKey
    def __init__(self, namespace: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ...) -> None: ...

class RegenerateSummaryResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "summary")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    summary: Summary
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., summary: _Optional[_Union[Summary, _Mapping]] = ...) -> None: ...

class ReflectRequest(_message.Message):
    __slots__ = ("namespace", "scope", "limit")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    scope: _record_pb2.Scope
    limit: int
    def __init__(self, namespace: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class ReflectResponse(_message.Message):
    __slots__ = ("reflections", "observations", "tx", "tx_time", "basis")
    REFLECTIONS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    reflections: _containers.RepeatedCompositeFieldContainer[_record_pb2.Episode]
    observations: int
    tx: int
    tx_time: _time_pb2.Instant
    basis: _time_pb2.Basis
    def __init__(self, reflections: _Optional[_Iterable[_Union[_record_pb2.Episode, _Mapping]]] = ..., observations: _Optional[int] = ..., tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class RetractDerivedRequest(_message.Message):
    __slots__ = ("namespace", "source", "episode_id", "dry_run")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    source: str
    episode_id: str
    dry_run: bool
    def __init__(self, namespace: _Optional[str] = ..., source: _Optional[str] = ..., episode_id: _Optional[str] = ..., dry_run: bool = ...) -> None: ...

class RetractDerivedResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "episode_ids", "fact_ids", "kept_fact_ids")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    EPISODE_IDS_FIELD_NUMBER: _ClassVar[int]
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    KEPT_FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    episode_ids: _containers.RepeatedScalarFieldContainer[str]
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    kept_fact_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., episode_ids: _Optional[_Iterable[str]] = ..., fact_ids: _Optional[_Iterable[str]] = ..., kept_fact_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ContextBudgets(_message.Message):
    __slots__ = ("core_tokens", "fact_tokens", "project_tokens", "conversation_tokens")
    CORE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FACT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    core_tokens: int
    fact_tokens: int
    project_tokens: int
    conversation_tokens: int
    def __init__(self, core_tokens: _Optional[int] = ..., fact_tokens: _Optional[int] = ..., project_tokens: _Optional[int] = ..., conversation_tokens: _Optional[int] = ...) -> None: ...

class BuildContextRequest(_message.Message):
    __slots__ = ("namespace", "key", "query", "budgets", "language", "format", "as_of", "scope")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    key: SessionKey
    query: str
    budgets: ContextBudgets
    language: ContextLanguage
    format: ContextFormat
    as_of: _time_pb2.AsOf
    scope: _record_pb2.Scope
    def __init__(self, namespace: _Optional[str] = ..., key: _Optional[_Union[SessionKey, _Mapping]] = ..., query: _Optional[str] = ..., budgets: _Optional[_Union[ContextBudgets, _Mapping]] = ..., language: _Optional[_Union[ContextLanguage, str]] = ..., format: _Optional[_Union[ContextFormat, str]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ...) -> None: ...

class ContextItem(_message.Message):
    __slots__ = ("text", "tokens", "fact_id", "episode_id", "trust", "confidence", "last_confirmed_time", "score")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    LAST_CONFIRMED_TIME_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    text: str
    tokens: int
    fact_id: str
    episode_id: str
    trust: _record_pb2.Trust
    confidence: float
    last_confirmed_time: _time_pb2.Instant
    score: float
    def __init__(self, text: _Optional[str] = ..., tokens: _Optional[int] = ..., fact_id: _Optional[str] = ..., episode_id: _Optional[str] = ..., trust: _Optional[_Union[_record_pb2.Trust, str]] = ..., confidence: _Optional[float] = ..., last_confirmed_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., score: _Optional[float] = ...) -> None: ...

class ContextSection(_message.Message):
    __slots__ = ("kind", "title", "items", "tokens", "left_out")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    kind: ContextSectionKind
    title: str
    items: _containers.RepeatedCompositeFieldContainer[ContextItem]
    tokens: int
    left_out: int
    def __init__(self, kind: _Optional[_Union[ContextSectionKind, str]] = ..., title: _Optional[str] = ..., items: _Optional[_Iterable[_Union[ContextItem, _Mapping]]] = ..., tokens: _Optional[int] = ..., left_out: _Optional[int] = ...) -> None: ...

class BuildContextResponse(_message.Message):
    __slots__ = ("sections", "text", "tokens", "abstained", "language", "tokenizer", "legs", "basis")
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ABSTAINED_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.RepeatedCompositeFieldContainer[ContextSection]
    text: str
    tokens: int
    abstained: bool
    language: ContextLanguage
    tokenizer: str
    legs: _containers.RepeatedCompositeFieldContainer[LegReport]
    basis: _time_pb2.Basis
    def __init__(self, sections: _Optional[_Iterable[_Union[ContextSection, _Mapping]]] = ..., text: _Optional[str] = ..., tokens: _Optional[int] = ..., abstained: bool = ..., language: _Optional[_Union[ContextLanguage, str]] = ..., tokenizer: _Optional[str] = ..., legs: _Optional[_Iterable[_Union[LegReport, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...
