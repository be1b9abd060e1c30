from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Granularity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GRANULARITY_UNSPECIFIED: _ClassVar[Granularity]
    GRANULARITY_YEAR: _ClassVar[Granularity]
    GRANULARITY_MONTH: _ClassVar[Granularity]
    GRANULARITY_DAY: _ClassVar[Granularity]
    GRANULARITY_SECOND: _ClassVar[Granularity]
    GRANULARITY_MICRO: _ClassVar[Granularity]
    GRANULARITY_DECADE: _ClassVar[Granularity]
    GRANULARITY_CENTURY: _ClassVar[Granularity]

class Edge(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDGE_UNSPECIFIED: _ClassVar[Edge]
    EDGE_START: _ClassVar[Edge]
    EDGE_END: _ClassVar[Edge]
GRANULARITY_UNSPECIFIED: Granularity
GRANULARITY_YEAR: Granularity
GRANULARITY_MONTH: Granularity
GRANULARITY_DAY: Granularity
GRANULARITY_SECOND: Granularity
GRANULARITY_MICRO: Granularity
GRANULARITY_DECADE: Granularity
GRANULARITY_CENTURY: Granularity
EDGE_UNSPECIFIED: Edge
EDGE_START: Edge
EDGE_END: Edge

class Instant(_message.Message):
    __slots__ = ("unix_micros",)
    UNIX_MICROS_FIELD_NUMBER: _ClassVar[int]
    unix_micros: int
    def __init__(self, unix_micros: _Optional[int] = ...) -> None: ...

class CivilDate(_message.Message):
    __slots__ = ("text", "zone", "granularity")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    GRANULARITY_FIELD_NUMBER: _ClassVar[int]
    text: str
    zone: str
    granularity: Granularity
    def __init__(self, text: _Optional[str] = ..., zone: _Optional[str] = ..., granularity: _Optional[_Union[Granularity, str]] = ...) -> None: ...

class Unbounded(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Bound(_message.Message):
    __slots__ = ("instant", "date", "unbounded", "written")
    INSTANT_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    UNBOUNDED_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    instant: Instant
    date: CivilDate
    unbounded: Unbounded
    written: CivilDate
    def __init__(self, instant: _Optional[_Union[Instant, _Mapping]] = ..., date: _Optional[_Union[CivilDate, _Mapping]] = ..., unbounded: _Optional[_Union[Unbounded, _Mapping]] = ..., written: _Optional[_Union[CivilDate, _Mapping]] = ...) -> None: ...

class ValidPoint(_message.Message):
    __slots__ = ("instant", "date", "edge")
    INSTANT_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    instant: Instant
    date: CivilDate
    edge: Edge
    def __init__(self, instant: _Optional[_Union[Instant, _Mapping]] = ..., date: _Optional[_Union[CivilDate, _Mapping]] = ..., edge: _Optional[_Union[Edge, str]] = ...) -> None: ...

class TransactionPoint(_message.Message):
    __slots__ = ("tx", "instant", "date", "edge")
    TX_FIELD_NUMBER: _ClassVar[int]
    INSTANT_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    tx: int
    instant: Instant
    date: CivilDate
    edge: Edge
    def __init__(self, tx: _Optional[int] = ..., instant: _Optional[_Union[Instant, _Mapping]] = ..., date: _Optional[_Union[CivilDate, _Mapping]] = ..., edge: _Optional[_Union[Edge, str]] = ...) -> None: ...

class AsOf(_message.Message):
    __slots__ = ("valid", "known")
    VALID_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    valid: ValidPoint
    known: TransactionPoint
    def __init__(self, valid: _Optional[_Union[ValidPoint, _Mapping]] = ..., known: _Optional[_Union[TransactionPoint, _Mapping]] = ...) -> None: ...

class Basis(_message.Message):
    __slots__ = ("valid_time", "tx", "tx_time", "erased")
    VALID_TIME_FIELD_NUMBER: _ClassVar[int]
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    valid_time: Instant
    tx: int
    tx_time: Instant
    erased: bool
    def __init__(self, valid_time: _Optional[_Union[Instant, _Mapping]] = ..., tx: _Optional[int] = ..., tx_time: _Optional[_Union[Instant, _Mapping]] = ..., erased: bool = ...) -> None: ...

class Range(_message.Message):
    __slots__ = ("to",)
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    to: Bound
    def __init__(self, to: _Optional[_Union[Bound, _Mapping]] = ..., **kwargs) -> None: ...
