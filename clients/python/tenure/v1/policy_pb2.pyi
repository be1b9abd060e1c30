from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_KIND_UNSPECIFIED: _ClassVar[MemoryKind]
    MEMORY_KIND_FACT: _ClassVar[MemoryKind]
    MEMORY_KIND_PREFERENCE: _ClassVar[MemoryKind]
    MEMORY_KIND_PROJECT: _ClassVar[MemoryKind]
    MEMORY_KIND_TRANSIENT: _ClassVar[MemoryKind]
    MEMORY_KIND_EPISODE: _ClassVar[MemoryKind]
    MEMORY_KIND_PROCEDURE: _ClassVar[MemoryKind]
    MEMORY_KIND_PASSAGE: _ClassVar[MemoryKind]
    MEMORY_KIND_SUMMARY: _ClassVar[MemoryKind]
    MEMORY_KIND_REFLECTION: _ClassVar[MemoryKind]
    MEMORY_KIND_FAILURE: _ClassVar[MemoryKind]
    MEMORY_KIND_CORE: _ClassVar[MemoryKind]

class Renewal(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RENEWAL_UNSPECIFIED: _ClassVar[Renewal]
    RENEWAL_REPLACE: _ClassVar[Renewal]
    RENEWAL_ACCUMULATE: _ClassVar[Renewal]
    RENEWAL_VERSION: _ClassVar[Renewal]
    RENEWAL_REVIEW: _ClassVar[Renewal]
MEMORY_KIND_UNSPECIFIED: MemoryKind
MEMORY_KIND_FACT: MemoryKind
MEMORY_KIND_PREFERENCE: MemoryKind
MEMORY_KIND_PROJECT: MemoryKind
MEMORY_KIND_TRANSIENT: MemoryKind
MEMORY_KIND_EPISODE: MemoryKind
MEMORY_KIND_PROCEDURE: MemoryKind
MEMORY_KIND_PASSAGE: MemoryKind
MEMORY_KIND_SUMMARY: MemoryKind
MEMORY_KIND_REFLECTION: MemoryKind
MEMORY_KIND_FAILURE: MemoryKind
MEMORY_KIND_CORE: MemoryKind
RENEWAL_UNSPECIFIED: Renewal
RENEWAL_REPLACE: Renewal
RENEWAL_ACCUMULATE: Renewal
RENEWAL_VERSION: Renewal
RENEWAL_REVIEW: Renewal

class KindPolicy(_message.Message):
    __slots__ = ("kind", "renewal", "live_days", "decay", "archive_below", "cap", "compact_days", "compact_reads", "review_days")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RENEWAL_FIELD_NUMBER: _ClassVar[int]
    LIVE_DAYS_FIELD_NUMBER: _ClassVar[int]
    DECAY_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_BELOW_FIELD_NUMBER: _ClassVar[int]
    CAP_FIELD_NUMBER: _ClassVar[int]
    COMPACT_DAYS_FIELD_NUMBER: _ClassVar[int]
    COMPACT_READS_FIELD_NUMBER: _ClassVar[int]
    REVIEW_DAYS_FIELD_NUMBER: _ClassVar[int]
    kind: MemoryKind
    renewal: Renewal
    live_days: int
    decay: float
    archive_below: float
    cap: int
    compact_days: int
    compact_reads: int
    review_days: int
    def __init__(self, kind: _Optional[_Union[MemoryKind, str]] = ..., renewal: _Optional[_Union[Renewal, str]] = ..., live_days: _Optional[int] = ..., decay: _Optional[float] = ..., archive_below: _Optional[float] = ..., cap: _Optional[int] = ..., compact_days: _Optional[int] = ..., compact_reads: _Optional[int] = ..., review_days: _Optional[int] = ...) -> None: ...

class PredicateKind(_message.Message):
    __slots__ = ("predicate", "kind")
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    predicate: str
    kind: MemoryKind
    def __init__(self, predicate: _Optional[str] = ..., kind: _Optional[_Union[MemoryKind, str]] = ...) -> None: ...

class ModelThreshold(_message.Message):
    __slots__ = ("model", "near")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    NEAR_FIELD_NUMBER: _ClassVar[int]
    model: str
    near: float
    def __init__(self, model: _Optional[str] = ..., near: _Optional[float] = ...) -> None: ...

class GatePolicy(_message.Message):
    __slots__ = ("near", "near_by_model", "ask_from", "confidence_min")
    NEAR_FIELD_NUMBER: _ClassVar[int]
    NEAR_BY_MODEL_FIELD_NUMBER: _ClassVar[int]
    ASK_FROM_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_MIN_FIELD_NUMBER: _ClassVar[int]
    near: float
    near_by_model: _containers.RepeatedCompositeFieldContainer[ModelThreshold]
    ask_from: float
    confidence_min: float
    def __init__(self, near: _Optional[float] = ..., near_by_model: _Optional[_Iterable[_Union[ModelThreshold, _Mapping]]] = ..., ask_from: _Optional[float] = ..., confidence_min: _Optional[float] = ...) -> None: ...

class ContextPolicy(_message.Message):
    __slots__ = ("core_tokens", "fact_tokens", "project_tokens", "conversation_tokens", "score_min", "cosine_min")
    CORE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FACT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SCORE_MIN_FIELD_NUMBER: _ClassVar[int]
    COSINE_MIN_FIELD_NUMBER: _ClassVar[int]
    core_tokens: int
    fact_tokens: int
    project_tokens: int
    conversation_tokens: int
    score_min: float
    cosine_min: float
    def __init__(self, core_tokens: _Optional[int] = ..., fact_tokens: _Optional[int] = ..., project_tokens: _Optional[int] = ..., conversation_tokens: _Optional[int] = ..., score_min: _Optional[float] = ..., cosine_min: _Optional[float] = ...) -> None: ...

class ReflectionPolicy(_message.Message):
    __slots__ = ("after",)
    AFTER_FIELD_NUMBER: _ClassVar[int]
    after: int
    def __init__(self, after: _Optional[int] = ...) -> None: ...

class Policy(_message.Message):
    __slots__ = ("kinds", "predicates", "gate", "context", "reflection")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    GATE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    REFLECTION_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedCompositeFieldContainer[KindPolicy]
    predicates: _containers.RepeatedCompositeFieldContainer[PredicateKind]
    gate: GatePolicy
    context: ContextPolicy
    reflection: ReflectionPolicy
    def __init__(self, kinds: _Optional[_Iterable[_Union[KindPolicy, _Mapping]]] = ..., predicates: _Optional[_Iterable[_Union[PredicateKind, _Mapping]]] = ..., gate: _Optional[_Union[GatePolicy, _Mapping]] = ..., context: _Optional[_Union[ContextPolicy, _Mapping]] = ..., reflection: _Optional[_Union[ReflectionPolicy, _Mapping]] = ...) -> None: ...

class GetPolicyRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class GetPolicyResponse(_message.Message):
    __slots__ = ("policy", "version")
    POLICY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    policy: Policy
    version: int
    def __init__(self, policy: _Optional[_Union[Policy, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class UpdatePolicyRequest(_message.Message):
    __slots__ = ("namespace", "policy", "version")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    policy: Policy
    version: int
    def __init__(self, namespace: _Optional[str] = ..., policy: _Optional[_Union[Policy, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class UpdatePolicyResponse(_message.Message):
    __slots__ = ("policy", "version")
    POLICY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    policy: Policy
    version: int
    def __init__(self, policy: _Optional[_Union[Policy, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class SweepMemoriesRequest(_message.Message):
    __slots__ = ("namespace", "dry_run", "kinds", "limit", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    dry_run: bool
    kinds: _containers.RepeatedScalarFieldContainer[MemoryKind]
    limit: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., dry_run: bool = ..., kinds: _Optional[_Iterable[_Union[MemoryKind, str]]] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SweepCount(_message.Message):
    __slots__ = ("kind", "looked_at", "archived", "evicted", "compacted")
    KIND_FIELD_NUMBER: _ClassVar[int]
    LOOKED_AT_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    EVICTED_FIELD_NUMBER: _ClassVar[int]
    COMPACTED_FIELD_NUMBER: _ClassVar[int]
    kind: MemoryKind
    looked_at: int
    archived: int
    evicted: int
    compacted: int
    def __init__(self, kind: _Optional[_Union[MemoryKind, str]] = ..., looked_at: _Optional[int] = ..., archived: _Optional[int] = ..., evicted: _Optional[int] = ..., compacted: _Optional[int] = ...) -> None: ...

class SweepMemoriesResponse(_message.Message):
    __slots__ = ("counts", "next_page_token", "tx")
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[SweepCount]
    next_page_token: str
    tx: int
    def __init__(self, counts: _Optional[_Iterable[_Union[SweepCount, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., tx: _Optional[int] = ...) -> None: ...
