from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_OUT: _ClassVar[Direction]
    DIRECTION_IN: _ClassVar[Direction]
    DIRECTION_BOTH: _ClassVar[Direction]

class PathMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PATH_MODE_UNSPECIFIED: _ClassVar[PathMode]
    PATH_MODE_AT_BASIS: _ClassVar[PathMode]
    PATH_MODE_COMMON_INSTANT: _ClassVar[PathMode]
    PATH_MODE_ANY_TIME: _ClassVar[PathMode]
DIRECTION_UNSPECIFIED: Direction
DIRECTION_OUT: Direction
DIRECTION_IN: Direction
DIRECTION_BOTH: Direction
PATH_MODE_UNSPECIFIED: PathMode
PATH_MODE_AT_BASIS: PathMode
PATH_MODE_COMMON_INSTANT: PathMode
PATH_MODE_ANY_TIME: PathMode

class TraverseRequest(_message.Message):
    __slots__ = ("namespace", "start", "hops", "direction", "predicates", "as_of", "limit", "fan_out")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    FAN_OUT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    start: str
    hops: int
    direction: Direction
    predicates: _containers.RepeatedScalarFieldContainer[str]
    as_of: _time_pb2.AsOf
    limit: int
    fan_out: int
    def __init__(self, namespace: _Optional[str] = ..., start: _Optional[str] = ..., hops: _Optional[int] = ..., direction: _Optional[_Union[Direction, str]] = ..., predicates: _Optional[_Iterable[str]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., limit: _Optional[int] = ..., fan_out: _Optional[int] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("rectangle", "hop", "reversed")
    RECTANGLE_FIELD_NUMBER: _ClassVar[int]
    HOP_FIELD_NUMBER: _ClassVar[int]
    REVERSED_FIELD_NUMBER: _ClassVar[int]
    rectangle: _record_pb2.Rectangle
    hop: int
    reversed: bool
    def __init__(self, rectangle: _Optional[_Union[_record_pb2.Rectangle, _Mapping]] = ..., hop: _Optional[int] = ..., reversed: bool = ...) -> None: ...

class TraverseResponse(_message.Message):
    __slots__ = ("steps", "truncated", "basis")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    truncated: bool
    basis: _time_pb2.Basis
    def __init__(self, steps: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., truncated: bool = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class FindPathsRequest(_message.Message):
    __slots__ = ("namespace", "start", "target", "hops", "direction", "predicates", "as_of", "mode", "within", "limit", "shortest")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    WITHIN_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SHORTEST_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    start: str
    target: str
    hops: int
    direction: Direction
    predicates: _containers.RepeatedScalarFieldContainer[str]
    as_of: _time_pb2.AsOf
    mode: PathMode
    within: _time_pb2.Range
    limit: int
    shortest: bool
    def __init__(self, namespace: _Optional[str] = ..., start: _Optional[str] = ..., target: _Optional[str] = ..., hops: _Optional[int] = ..., direction: _Optional[_Union[Direction, str]] = ..., predicates: _Optional[_Iterable[str]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., mode: _Optional[_Union[PathMode, str]] = ..., within: _Optional[_Union[_time_pb2.Range, _Mapping]] = ..., limit: _Optional[int] = ..., shortest: bool = ...) -> None: ...

class Path(_message.Message):
    __slots__ = ("steps", "simultaneous", "common_from", "common_to")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    SIMULTANEOUS_FIELD_NUMBER: _ClassVar[int]
    COMMON_FROM_FIELD_NUMBER: _ClassVar[int]
    COMMON_TO_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    simultaneous: bool
    common_from: _time_pb2.Instant
    common_to: _time_pb2.Instant
    def __init__(self, steps: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., simultaneous: bool = ..., common_from: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., common_to: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ...) -> None: ...

class FindPathsResponse(_message.Message):
    __slots__ = ("paths", "truncated", "basis")
    PATHS_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    paths: _containers.RepeatedCompositeFieldContainer[Path]
    truncated: bool
    basis: _time_pb2.Basis
    def __init__(self, paths: _Optional[_Iterable[_Union[Path, _Mapping]]] = ..., truncated: bool = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class GetEntityRequest(_message.Message):
    __slots__ = ("namespace", "name", "as_of", "limit")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    name: str
    as_of: _time_pb2.AsOf
    limit: int
    def __init__(self, namespace: _Optional[str] = ..., name: _Optional[str] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class GetEntityResponse(_message.Message):
    __slots__ = ("entity", "outgoing", "incoming", "truncated", "basis")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    OUTGOING_FIELD_NUMBER: _ClassVar[int]
    INCOMING_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    entity: _record_pb2.Entity
    outgoing: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    incoming: _containers.RepeatedCompositeFieldContainer[_record_pb2.Rectangle]
    truncated: bool
    basis: _time_pb2.Basis
    def __init__(self, entity: _Optional[_Union[_record_pb2.Entity, _Mapping]] = ..., outgoing: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., incoming: _Optional[_Iterable[_Union[_record_pb2.Rectangle, _Mapping]]] = ..., truncated: bool = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class ResolveEntityRequest(_message.Message):
    __slots__ = ("namespace", "text", "known", "limit")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    text: str
    known: _time_pb2.TransactionPoint
    limit: int
    def __init__(self, namespace: _Optional[str] = ..., text: _Optional[str] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class ResolveEntityResponse(_message.Message):
    __slots__ = ("entities", "basis")
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[_record_pb2.Entity]
    basis: _time_pb2.Basis
    def __init__(self, entities: _Optional[_Iterable[_Union[_record_pb2.Entity, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ...) -> None: ...

class ListEntitiesRequest(_message.Message):
    __slots__ = ("namespace", "name_prefix", "known", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_PREFIX_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    name_prefix: str
    known: _time_pb2.TransactionPoint
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., name_prefix: _Optional[str] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEntitiesResponse(_message.Message):
    __slots__ = ("entities", "basis", "next_page_token")
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[_record_pb2.Entity]
    basis: _time_pb2.Basis
    next_page_token: str
    def __init__(self, entities: _Optional[_Iterable[_Union[_record_pb2.Entity, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListPredicatesRequest(_message.Message):
    __slots__ = ("namespace", "known", "page_size", "page_token")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    known: _time_pb2.TransactionPoint
    page_size: int
    page_token: str
    def __init__(self, namespace: _Optional[str] = ..., known: _Optional[_Union[_time_pb2.TransactionPoint, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPredicatesResponse(_message.Message):
    __slots__ = ("predicates", "basis", "next_page_token")
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    predicates: _containers.RepeatedCompositeFieldContainer[_record_pb2.Predicate]
    basis: _time_pb2.Basis
    next_page_token: str
    def __init__(self, predicates: _Optional[_Iterable[_Union[_record_pb2.Predicate, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
