"""Give documents ids that stay the same from one import to the next.

All ways to an id stand here: of a file by its path, of a JSON line by its field, of a document in a
request as that says, of a file of a RAG corpus by its address. What is imported again replaces what
has its id, so none of them may ever give another id for the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec

from sessions import names
from sessions.codec import json_codec
from sessions.resources.documents import Document, ImportDocumentsRequest

_VALID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9._-]+)*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._]+")
_KEPT: Final = 100


def from_path(path: str) -> str:
    """Return the document id for a relative *path* with ``/``: readable, valid and its own.

    ``a/b.md`` becomes ``a--b.md``; what cannot be written so, or is too long, ends in a hash.
    """
    plain = path.replace("/", "--")
    if len(plain) <= _KEPT and _PLAIN_PATH.fullmatch(path) and "--" not in path:
        return plain
    return _hashed(path)


def from_given(given: str) -> str:
    """Return *given* if it may name a document, else a valid id that stands for it."""
    return given if _VALID.fullmatch(given) else _hashed(given)


def of_document(document: Document, request: ImportDocumentsRequest) -> str:
    """Return the id of *document* in *request*: its own, that of its ``idField``, or a digest.

    Raises:
        InvalidArgument: there is none, or it cannot be one.
    """
    given = document.id
    if not given and document.name:
        given = names.last_id(document.name)
    if not given and request.id_field:
        given = _field(document, request.id_field)
    if not given and request.auto_generate_ids:
        given = hashlib.blake2b(json_codec.dump(document), digest_size=16).hexdigest()
    return names.checked_document_id(given, field="id")


def from_address(uri: str) -> str:
    """Return the id of the file of a RAG corpus that lies at *uri*, a decimal."""
    digest = hashlib.blake2b(uri.encode(), digest_size=8).digest()
    # 63 bits, since clients read it as an int64; and never 0, which stands for none.
    return str((int.from_bytes(digest) >> 1) or 1)


def _field(document: Document, path: str) -> str:
    """Return the text or the whole number at *path* of the document's fields, "" without one."""
    value: object = document.struct_data
    if document.json_data is not None:
        json_codec.check_values(document.json_data.encode())
        try:
            value = msgspec.json.decode(document.json_data)
        except (msgspec.DecodeError, RecursionError):
            return ""
    for part in path.split("."):
        value = cast(Mapping[str, Any], value).get(part) if isinstance(value, Mapping) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _hashed(text: str) -> str:
    readable = _OTHER.sub("-", text).strip("-._")[:_KEPT].rstrip("-._")
    mark = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return f"{readable}-{mark}" if readable else mark
