from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErasureKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERASURE_KIND_UNSPECIFIED: _ClassVar[ErasureKind]
    ERASURE_KIND_FACT: _ClassVar[ErasureKind]
    ERASURE_KIND_ENTITY: _ClassVar[ErasureKind]
    ERASURE_KIND_SOURCE: _ClassVar[ErasureKind]
    ERASURE_KIND_OWNER: _ClassVar[ErasureKind]
    ERASURE_KIND_NAMESPACE: _ClassVar[ErasureKind]

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_READER: _ClassVar[Role]
    ROLE_WRITER: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]

class ModelPurpose(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MODEL_PURPOSE_UNSPECIFIED: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_EMBED_DOCUMENT: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_EMBED_QUERY: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_RERANK: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_EXTRACT: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_SUMMARISE: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_REFLECT: _ClassVar[ModelPurpose]
    MODEL_PURPOSE_JUDGE: _ClassVar[ModelPurpose]
ERASURE_KIND_UNSPECIFIED: ErasureKind
ERASURE_KIND_FACT: ErasureKind
ERASURE_KIND_ENTITY: ErasureKind
ERASURE_KIND_SOURCE: ErasureKind
ERASURE_KIND_OWNER: ErasureKind
ERASURE_KIND_NAMESPACE: ErasureKind
ROLE_UNSPECIFIED: Role
ROLE_READER: Role
ROLE_WRITER: Role
ROLE_ADMIN: Role
MODEL_PURPOSE_UNSPECIFIED: ModelPurpose
MODEL_PURPOSE_EMBED_DOCUMENT: ModelPurpose
MODEL_PURPOSE_EMBED_QUERY: ModelPurpose
MODEL_PURPOSE_RERANK: ModelPurpose
MODEL_PURPOSE_EXTRACT: ModelPurpose
MODEL_PURPOSE_SUMMARISE: ModelPurpose
MODEL_PURPOSE_REFLECT: ModelPurpose
MODEL_PURPOSE_JUDGE: ModelPurpose

class Namespace(_message.Message):
    __slots__ = ("name", "zone", "create_time", "embedding")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    name: str
    zone: str
    create_time: _time_pb2.Instant
    embedding: EmbeddingSpace
    def __init__(self, name: _Optional[str] = ..., zone: _Optional[str] = ..., create_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., embedding: _Optional[_Union[EmbeddingSpace, _Mapping]] = ...) -> None: ...

class EmbeddingSpace(_message.Message):
    __slots__ = ("model", "dimension", "supplied")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    SUPPLIED_FIELD_NUMBER: _ClassVar[int]
    model: str
    dimension: int
    supplied: bool
    def __init__(self, model: _Optional[str] = ..., dimension: _Optional[int] = ..., supplied: bool = ...) -> None: ...

class CreateNamespaceRequest(_message.Message):
    __slots__ = ("name", "zone", "allow_existing", "embedding")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EXISTING_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    name: str
    zone: str
    allow_existing: bool
    embedding: EmbeddingSpace
    def __init__(self, name: _Optional[str] = ..., zone: _Optional[str] = ..., allow_existing: bool = ..., embedding: _Optional[_Union[EmbeddingSpace, _Mapping]] = ...) -> None: ...

class CreateNamespaceResponse(_message.Message):
    __slots__ = ("namespace", "created")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    namespace: Namespace
    created: bool
    def __init__(self, namespace: _Optional[_Union[Namespace, _Mapping]] = ..., created: bool = ...) -> None: ...

class ListNamespacesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListNamespacesResponse(_message.Message):
    __slots__ = ("namespaces", "next_page_token")
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespaces: _containers.RepeatedCompositeFieldContainer[Namespace]
    next_page_token: str
    def __init__(self, namespaces: _Optional[_Iterable[_Union[Namespace, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteNamespaceRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteNamespaceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatisticsRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class GetStatisticsResponse(_message.Message):
    __slots__ = ("transactions", "entities", "predicates", "values", "sources", "rectangles_live", "rectangles_closed", "conflicts", "last_tx", "graph_watermark", "graph_bytes", "store_bytes", "episodes", "documents", "text_documents", "text_bytes", "embedding", "vectors", "vectors_behind", "vector_bytes", "vectors_linked", "next_embedding", "next_embedded", "embedder")
    TRANSACTIONS_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_LIVE_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_CLOSED_FIELD_NUMBER: _ClassVar[int]
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    LAST_TX_FIELD_NUMBER: _ClassVar[int]
    GRAPH_WATERMARK_FIELD_NUMBER: _ClassVar[int]
    GRAPH_BYTES_FIELD_NUMBER: _ClassVar[int]
    STORE_BYTES_FIELD_NUMBER: _ClassVar[int]
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_BYTES_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    VECTORS_FIELD_NUMBER: _ClassVar[int]
    VECTORS_BEHIND_FIELD_NUMBER: _ClassVar[int]
    VECTOR_BYTES_FIELD_NUMBER: _ClassVar[int]
    VECTORS_LINKED_FIELD_NUMBER: _ClassVar[int]
    NEXT_EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    NEXT_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    EMBEDDER_FIELD_NUMBER: _ClassVar[int]
    transactions: int
    entities: int
    predicates: int
    values: int
    sources: int
    rectangles_live: int
    rectangles_closed: int
    conflicts: int
    last_tx: int
    graph_watermark: int
    graph_bytes: int
    store_bytes: int
    episodes: int
    documents: int
    text_documents: int
    text_bytes: int
    embedding: EmbeddingSpace
    vectors: int
    vectors_behind: int
    vector_bytes: int
    vectors_linked: int
    next_embedding: EmbeddingSpace
    next_embedded: int
    embedder: EmbedderUsage
    def __init__(self, transactions: _Optional[int] = ..., entities: _Optional[int] = ..., predicates: _Optional[int] = ..., values: _Optional[int] = ..., sources: _Optional[int] = ..., rectangles_live: _Optional[int] = ..., rectangles_closed: _Optional[int] = ..., conflicts: _Optional[int] = ..., last_tx: _Optional[int] = ..., graph_watermark: _Optional[int] = ..., graph_bytes: _Optional[int] = ..., store_bytes: _Optional[int] = ..., episodes: _Optional[int] = ..., documents: _Optional[int] = ..., text_documents: _Optional[int] = ..., text_bytes: _Optional[int] = ..., embedding: _Optional[_Union[EmbeddingSpace, _Mapping]] = ..., vectors: _Optional[int] = ..., vectors_behind: _Optional[int] = ..., vector_bytes: _Optional[int] = ..., vectors_linked: _Optional[int] = ..., next_embedding: _Optional[_Union[EmbeddingSpace, _Mapping]] = ..., next_embedded: _Optional[int] = ..., embedder: _Optional[_Union[EmbedderUsage, _Mapping]] = ...) -> None: ...

class EmbedderUsage(_message.Message):
    __slots__ = ("calls", "failures", "retries", "texts", "tokens")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    RETRIES_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    calls: int
    failures: int
    retries: int
    texts: int
    tokens: int
    def __init__(self, calls: _Optional[int] = ..., failures: _Optional[int] = ..., retries: _Optional[int] = ..., texts: _Optional[int] = ..., tokens: _Optional[int] = ...) -> None: ...

class VerifyRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class VerifyResponse(_message.Message):
    __slots__ = ("clean", "transactions", "statements", "rectangles", "groups", "differences", "documents", "vectors")
    CLEAN_FIELD_NUMBER: _ClassVar[int]
    TRANSACTIONS_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    VECTORS_FIELD_NUMBER: _ClassVar[int]
    clean: bool
    transactions: int
    statements: int
    rectangles: int
    groups: int
    differences: _containers.RepeatedScalarFieldContainer[str]
    documents: int
    vectors: int
    def __init__(self, clean: bool = ..., transactions: _Optional[int] = ..., statements: _Optional[int] = ..., rectangles: _Optional[int] = ..., groups: _Optional[int] = ..., differences: _Optional[_Iterable[str]] = ..., documents: _Optional[int] = ..., vectors: _Optional[int] = ...) -> None: ...

class ReembedRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class ReembedResponse(_message.Message):
    __slots__ = ("embedding", "documents")
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    embedding: EmbeddingSpace
    documents: int
    def __init__(self, embedding: _Optional[_Union[EmbeddingSpace, _Mapping]] = ..., documents: _Optional[int] = ...) -> None: ...

class BackupRequest(_message.Message):
    __slots__ = ("namespace", "bases")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    BASES_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    bases: _containers.RepeatedCompositeFieldContainer[BackupBase]
    def __init__(self, namespace: _Optional[str] = ..., bases: _Optional[_Iterable[_Union[BackupBase, _Mapping]]] = ...) -> None: ...

class BackupBase(_message.Message):
    __slots__ = ("namespace", "since_tx", "head")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SINCE_TX_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    since_tx: int
    head: bytes
    def __init__(self, namespace: _Optional[str] = ..., since_tx: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class BackupResponse(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class PingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PingResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EraseRequest(_message.Message):
    __slots__ = ("namespace", "fact_id", "entity", "source", "owner", "everything", "dry_run", "purge", "request_id")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    EVERYTHING_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PURGE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    fact_id: str
    entity: str
    source: str
    owner: str
    everything: bool
    dry_run: bool
    purge: bool
    request_id: str
    def __init__(self, namespace: _Optional[str] = ..., fact_id: _Optional[str] = ..., entity: _Optional[str] = ..., source: _Optional[str] = ..., owner: _Optional[str] = ..., everything: bool = ..., dry_run: bool = ..., purge: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class EraseResponse(_message.Message):
    __slots__ = ("erasure", "replayed")
    ERASURE_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    erasure: Erasure
    replayed: bool
    def __init__(self, erasure: _Optional[_Union[Erasure, _Mapping]] = ..., replayed: bool = ...) -> None: ...

class Erasure(_message.Message):
    __slots__ = ("id", "kind", "tx", "tx_time", "first_tx", "counts", "purged")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    FIRST_TX_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    PURGED_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: ErasureKind
    tx: int
    tx_time: _time_pb2.Instant
    first_tx: int
    counts: ErasureCounts
    purged: bool
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[ErasureKind, str]] = ..., tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., first_tx: _Optional[int] = ..., counts: _Optional[_Union[ErasureCounts, _Mapping]] = ..., purged: bool = ...) -> None: ...

class ErasureCounts(_message.Message):
    __slots__ = ("statements", "evidence", "episodes", "rectangles", "rectangles_restored", "log_changes", "names", "receipts", "vectors", "accesses", "documents", "facts")
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_RESTORED_FIELD_NUMBER: _ClassVar[int]
    LOG_CHANGES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    RECEIPTS_FIELD_NUMBER: _ClassVar[int]
    VECTORS_FIELD_NUMBER: _ClassVar[int]
    ACCESSES_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    statements: int
    evidence: int
    episodes: int
    rectangles: int
    rectangles_restored: int
    log_changes: int
    names: int
    receipts: int
    vectors: int
    accesses: int
    documents: int
    facts: int
    def __init__(self, statements: _Optional[int] = ..., evidence: _Optional[int] = ..., episodes: _Optional[int] = ..., rectangles: _Optional[int] = ..., rectangles_restored: _Optional[int] = ..., log_changes: _Optional[int] = ..., names: _Optional[int] = ..., receipts: _Optional[int] = ..., vectors: _Optional[int] = ..., accesses: _Optional[int] = ..., documents: _Optional[int] = ..., facts: _Optional[int] = ...) -> None: ...

class GetErasureRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetErasureResponse(_message.Message):
    __slots__ = ("erasure",)
    ERASURE_FIELD_NUMBER: _ClassVar[int]
    erasure: Erasure
    def __init__(self, erasure: _Optional[_Union[Erasure, _Mapping]] = ...) -> None: ...

class ListErasuresRequest(_message.Message):
    __slots__ = ("namespace", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListErasuresResponse(_message.Message):
    __slots__ = ("erasures", "next_page_token")
    ERASURES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    erasures: _containers.RepeatedCompositeFieldContainer[Erasure]
    next_page_token: str
    def __init__(self, erasures: _Optional[_Iterable[_Union[Erasure, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Credential(_message.Message):
    __slots__ = ("id", "name", "role", "namespace", "scope", "create_time", "expire_time", "rotate_time", "grace_end_time")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    ROTATE_TIME_FIELD_NUMBER: _ClassVar[int]
    GRACE_END_TIME_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    role: Role
    namespace: str
    scope: _record_pb2.Scope
    create_time: _time_pb2.Instant
    expire_time: _time_pb2.Instant
    rotate_time: _time_pb2.Instant
    grace_end_time: _time_pb2.Instant
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., namespace: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., create_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., expire_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., rotate_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., grace_end_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ...) -> None: ...

class CreateCredentialRequest(_message.Message):
    __slots__ = ("name", "role", "namespace", "scope", "lifetime_seconds")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    namespace: str
    scope: _record_pb2.Scope
    lifetime_seconds: int
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., namespace: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., lifetime_seconds: _Optional[int] = ...) -> None: ...

class CreateCredentialResponse(_message.Message):
    __slots__ = ("credential", "key")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    key: str
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

class ListCredentialsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCredentialsResponse(_message.Message):
    __slots__ = ("credentials", "next_page_token")
    CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    credentials: _containers.RepeatedCompositeFieldContainer[Credential]
    next_page_token: str
    def __init__(self, credentials: _Optional[_Iterable[_Union[Credential, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RotateCredentialRequest(_message.Message):
    __slots__ = ("id", "grace_seconds")
    ID_FIELD_NUMBER: _ClassVar[int]
    GRACE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    id: str
    grace_seconds: int
    def __init__(self, id: _Optional[str] = ..., grace_seconds: _Optional[int] = ...) -> None: ...

class RotateCredentialResponse(_message.Message):
    __slots__ = ("credential", "key")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    key: str
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

class RevokeCredentialRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class RevokeCredentialResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AuditEvent(_message.Message):
    __slots__ = ("sequence", "time", "action", "who", "peer", "method", "namespace", "credential_id", "count")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    PEER_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_ID_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    time: _time_pb2.Instant
    action: str
    who: str
    peer: str
    method: str
    namespace: str
    credential_id: str
    count: int
    def __init__(self, sequence: _Optional[int] = ..., time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., action: _Optional[str] = ..., who: _Optional[str] = ..., peer: _Optional[str] = ..., method: _Optional[str] = ..., namespace: _Optional[str] = ..., credential_id: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class ListAuditEventsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAuditEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[AuditEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[AuditEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Quotas(_message.Message):
    __slots__ = ("facts", "bytes", "requests_per_second", "streams")
    FACTS_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    facts: int
    bytes: int
    requests_per_second: int
    streams: int
    def __init__(self, facts: _Optional[int] = ..., bytes: _Optional[int] = ..., requests_per_second: _Optional[int] = ..., streams: _Optional[int] = ...) -> None: ...

class SetQuotasRequest(_message.Message):
    __slots__ = ("namespace", "quotas")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    quotas: Quotas
    def __init__(self, namespace: _Optional[str] = ..., quotas: _Optional[_Union[Quotas, _Mapping]] = ...) -> None: ...

class SetQuotasResponse(_message.Message):
    __slots__ = ("quotas",)
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    quotas: Quotas
    def __init__(self, quotas: _Optional[_Union[Quotas, _Mapping]] = ...) -> None: ...

class GetQuotasRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class GetQuotasResponse(_message.Message):
    __slots__ = ("quotas", "facts", "bytes")
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    quotas: Quotas
    facts: int
    bytes: int
    def __init__(self, quotas: _Optional[_Union[Quotas, _Mapping]] = ..., facts: _Optional[int] = ..., bytes: _Optional[int] = ...) -> None: ...

class ModelUsage(_message.Message):
    __slots__ = ("purpose", "period", "calls", "failures", "prompt_tokens", "completion_tokens", "estimated_tokens")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    purpose: ModelPurpose
    period: str
    calls: int
    failures: int
    prompt_tokens: int
    completion_tokens: int
    estimated_tokens: int
    def __init__(self, purpose: _Optional[_Union[ModelPurpose, str]] = ..., period: _Optional[str] = ..., calls: _Optional[int] = ..., failures: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., estimated_tokens: _Optional[int] = ...) -> None: ...

class Budget(_message.Message):
    __slots__ = ("purpose", "day_tokens", "month_tokens")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    DAY_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MONTH_TOKENS_FIELD_NUMBER: _ClassVar[int]
    purpose: ModelPurpose
    day_tokens: int
    month_tokens: int
    def __init__(self, purpose: _Optional[_Union[ModelPurpose, str]] = ..., day_tokens: _Optional[int] = ..., month_tokens: _Optional[int] = ...) -> None: ...

class GetUsageRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class GetUsageResponse(_message.Message):
    __slots__ = ("days", "months", "budgets", "over_budget")
    DAYS_FIELD_NUMBER: _ClassVar[int]
    MONTHS_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    OVER_BUDGET_FIELD_NUMBER: _ClassVar[int]
    days: _containers.RepeatedCompositeFieldContainer[ModelUsage]
    months: _containers.RepeatedCompositeFieldContainer[ModelUsage]
    budgets: _containers.RepeatedCompositeFieldContainer[Budget]
    over_budget: _containers.RepeatedScalarFieldContainer[ModelPurpose]
    def __init__(self, days: _Optional[_Iterable[_Union[ModelUsage, _Mapping]]] = ..., months: _Optional[_Iterable[_Union[ModelUsage, _Mapping]]] = ..., budgets: _Optional[_Iterable[_Union[Budget, _Mapping]]] = ..., over_budget: _Optional[_Iterable[_Union[ModelPurpose, str]]] = ...) -> None: ...

class SetBudgetsRequest(_message.Message):
    __slots__ = ("namespace", "budgets")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    budgets: _containers.RepeatedCompositeFieldContainer[Budget]
    def __init__(self, namespace: _Optional[str] = ..., budgets: _Optional[_Iterable[_Union[Budget, _Mapping]]] = ...) -> None: ...

class SetBudgetsResponse(_message.Message):
    __slots__ = ("budgets",)
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    budgets: _containers.RepeatedCompositeFieldContainer[Budget]
    def __init__(self, budgets: _Optional[_Iterable[_Union[Budget, _Mapping]]] = ...) -> None: ...
