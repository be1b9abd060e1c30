"""Names of entities for namespaces, items and texts.

A name is JSON: `["users","ann"]` is a namespace, `[["users","ann"],"prefs"]` an item in it. Nothing
is glued, so no label can pass for two. But names are compared in NFC, case folded and with white
space collapsed, and here `Ann` and `ann` are two keys. So every character that this could touch is
written as JSON's escape, which is a text of its own: `["\\u0041nn"]`.
"""

from __future__ import annotations

import json
import re
from typing import Any

#: Bytes of a name, in UTF-8.
NAME_BYTES_MAX = 1_024

# What stays as it is: printable ASCII without upper case and space; kana, CJK ideographs and Hangul
# syllables, which have no case and do not compose with what is left of them.
_TOUCHED = re.compile("[^!-@\\[-~\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]")


def of_namespace(namespace: tuple[str, ...]) -> str:
    return _name(list(namespace))


def of_item(namespace: tuple[str, ...], key: str) -> str:
    return _name([list(namespace), key])


def of_text(namespace: tuple[str, ...], key: str, put: str, index: int) -> str:
    return _name([list(namespace), key, put, index])


def to_item(name: str) -> tuple[tuple[str, ...], str]:
    """The namespace and key that an item's name, or the name of one of its texts, was made of."""
    labels, key, *_ = json.loads(name)
    return tuple(labels), key


def to_put(name: str) -> str:
    """The put that a text's name was made of."""
    put: str = json.loads(name)[2]
    return put


def prefixes(namespace: tuple[str, ...]) -> list[str]:
    """Names of the namespaces an item is in: its own, those above it, and the root."""
    return [of_namespace(namespace[:depth]) for depth in range(len(namespace) + 1)]


def _name(parts: list[Any]) -> str:
    plain = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    plain.encode()  # Half of a surrogate pair is no text, and two halves would pass for a whole.
    name = _TOUCHED.sub(_escape, plain)
    size = len(name.encode())
    if size > NAME_BYTES_MAX:
        raise ValueError(
            f"a namespace and key may take {NAME_BYTES_MAX} bytes as a name; these take {size}"
        )
    return name


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
