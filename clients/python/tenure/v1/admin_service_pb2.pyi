from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Namespace(_message.Message):
    __slots__ = ("name", "zone", "create_time")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    name: str
    zone: str
    create_time: _time_pb2.Instant
    def __init__(self, name: _Optional[str] = ..., zone: _Optional[str] = ..., create_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ...) -> None: ...

class CreateNamespaceRequest(_message.Message):
    __slots__ = ("name", "zone", "allow_existing")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EXISTING_FIELD_NUMBER: _ClassVar[int]
    name: str
    zone: str
    allow_existing: bool
    def __init__(self, name: _Optional[str] = ..., zone: _Optional[str] = ..., allow_existing: bool = ...) -> None: ...

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
    __slots__ = ("transactions", "entities", "predicates", "values", "sources", "rectangles_live", "rectangles_closed", "conflicts", "last_tx", "graph_watermark", "graph_bytes", "store_bytes")
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
    def __init__(self, transactions: _Optional[int] = ..., entities: _Optional[int] = ..., predicates: _Optional[int] = ..., values: _Optional[int] = ..., sources: _Optional[int] = ..., rectangles_live: _Optional[int] = ..., rectangles_closed: _Optional[int] = ..., conflicts: _Optional[int] = ..., last_tx: _Optional[int] = ..., graph_watermark: _Optional[int] = ..., graph_bytes: _Optional[int] = ..., store_bytes: _Optional[int] = ...) -> None: ...

class VerifyRequest(_message.Message):
    __slots__ = ("namespace",)
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    def __init__(self, namespace: _Optional[str] = ...) -> None: ...

class VerifyResponse(_message.Message):
    __slots__ = ("clean", "transactions", "statements", "rectangles", "groups", "differences")
    CLEAN_FIELD_NUMBER: _ClassVar[int]
    TRANSACTIONS_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    RECTANGLES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    clean: bool
    transactions: int
    statements: int
    rectangles: int
    groups: int
    differences: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, clean: bool = ..., transactions: _Optional[int] = ..., statements: _Optional[int] = ..., rectangles: _Optional[int] = ..., groups: _Optional[int] = ..., differences: _Optional[_Iterable[str]] = ...) -> None: ...

class PingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PingResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
