from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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

class PingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PingResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
