from tenure.v1 import record_pb2 as _record_pb2
from tenure.v1 import time_pb2 as _time_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CoreBlock(_message.Message):
    __slots__ = ("label", "text", "version", "tx_time", "tokens", "scope")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    label: str
    text: str
    version: str
    tx_time: _time_pb2.Instant
    tokens: int
    scope: _record_pb2.Scope
    def __init__(self, label: _Optional[str] = ..., text: _Optional[str] = ..., version: _Optional[str] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., tokens: _Optional[int] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ...) -> None: ...

class GetCoreMemoryRequest(_message.Message):
    __slots__ = ("namespace", "scope", "labels", "as_of")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    scope: _record_pb2.Scope
    labels: _containers.RepeatedScalarFieldContainer[str]
    as_of: _time_pb2.AsOf
    def __init__(self, namespace: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., labels: _Optional[_Iterable[str]] = ..., as_of: _Optional[_Union[_time_pb2.AsOf, _Mapping]] = ...) -> None: ...

class GetCoreMemoryResponse(_message.Message):
    __slots__ = ("blocks", "basis", "tokenizer")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[CoreBlock]
    basis: _time_pb2.Basis
    tokenizer: str
    def __init__(self, blocks: _Optional[_Iterable[_Union[CoreBlock, _Mapping]]] = ..., basis: _Optional[_Union[_time_pb2.Basis, _Mapping]] = ..., tokenizer: _Optional[str] = ...) -> None: ...

class CoreAppend(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class CoreReplace(_message.Message):
    __slots__ = ("old", "new")
    OLD_FIELD_NUMBER: _ClassVar[int]
    NEW_FIELD_NUMBER: _ClassVar[int]
    old: str
    new: str
    def __init__(self, old: _Optional[str] = ..., new: _Optional[str] = ...) -> None: ...

class CoreSet(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class UpdateCoreMemoryRequest(_message.Message):
    __slots__ = ("namespace", "scope", "label", "append", "replace", "set", "expected_version")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    APPEND_FIELD_NUMBER: _ClassVar[int]
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    scope: _record_pb2.Scope
    label: str
    append: CoreAppend
    replace: CoreReplace
    set: CoreSet
    expected_version: str
    def __init__(self, namespace: _Optional[str] = ..., scope: _Optional[_Union[_record_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., append: _Optional[_Union[CoreAppend, _Mapping]] = ..., replace: _Optional[_Union[CoreReplace, _Mapping]] = ..., set: _Optional[_Union[CoreSet, _Mapping]] = ..., expected_version: _Optional[str] = ...) -> None: ...

class UpdateCoreMemoryResponse(_message.Message):
    __slots__ = ("tx", "tx_time", "block")
    TX_FIELD_NUMBER: _ClassVar[int]
    TX_TIME_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    tx: int
    tx_time: _time_pb2.Instant
    block: CoreBlock
    def __init__(self, tx: _Optional[int] = ..., tx_time: _Optional[_Union[_time_pb2.Instant, _Mapping]] = ..., block: _Optional[_Union[CoreBlock, _Mapping]] = ...) -> None: ...
