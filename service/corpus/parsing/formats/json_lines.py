"""Read JSON lines: each line is a document of its own."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec

from service.blocks import Block, BlockKind
from service.corpus import document_ids
from service.corpus.parsing import document_sources
from service.corpus.parsing.document_sources import DocumentSource, JsonLine
from service.corpus.parsing.parsed_documents import Unreadable
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.documents import AclInfo

_IDS: Final = ("id", "_id", "doc_id", "docId", "document_id", "documentId")
_TEXTS: Final = ("text", "content", "body", "description")
_URIS: Final = ("uri", "url", "link")
_READERS: Final = ("aclInfo", "acl_info")
_NOT_DATA: Final = frozenset(
    {*_IDS, *_TEXTS, *_READERS, "mime", "mimeType", "structData", "jsonData"}
)


class JsonDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as a line gives it; *data* is its text in the format *mime*."""

    id: str
    title: str = ""
    uri: str = ""
    mime: str = "text/plain"
    data: bytes = b""
    struct_data: Mapping[str, Any] = {}
    acl_info: AclInfo | None = None


def source_of(line: JsonLine) -> DocumentSource:
    """Return the document that a line of JSON lines describes; its id is made valid.

    Raises:
        Unreadable: it describes none.
    """
    described = read_line(line.data, line.number)
    given = described.id or f"{line.filename}#{line.ordinal}"
    fields = described.struct_data
    own = document_ids.from_given(given)
    if own != given and described.id:
        fields = {**fields, "source_id": given}
    return DocumentSource(
        id=own,
        data=described.data,
        mime=described.mime,
        title=described.title,
        uri=described.uri,
        fields=document_sources.encoded_fields(fields),
        base=line.base,
        acl_info=described.acl_info,
    )


def read_line(line: bytes, number: int) -> JsonDocument:
    """Return the document of a line, which is the one of this *number* in its file.

    Raises:
        Unreadable: it holds none; the message names the line.
    """
    try:
        value: object = msgspec.json.decode(line)
        if not isinstance(value, dict):
            raise Unreadable("INVALID_JSON", "not a JSON object")
        return record(cast("dict[str, Any]", value))
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Unreadable("INVALID_JSON", f"line {number}: {exc}") from exc
    except RecursionError as exc:
        raise Unreadable("INVALID_JSON", f"line {number}: nested too deep") from exc
    except Unreadable as exc:
        raise Unreadable(exc.reason, f"line {number}: {exc}") from exc


def record(value: Mapping[str, Any]) -> JsonDocument:
    """Return the document that a JSON object describes, in any of the usual shapes.

    ``content`` may be the text itself or, as in the documents API, ``{mimeType, rawBytes}``.

    Raises:
        Unreadable: a field is not what its name says.
    """
    struct = _struct(value)
    mime = _first(value, ("mime", "mimeType"), "text/plain")
    content: object = value.get("content")
    if isinstance(content, dict):
        described = cast("dict[str, Any]", content)
        mime = _first(described, ("mimeType",), mime)
        data = _raw(described)
        uri = _first(described, _URIS, "")
    else:
        data, uri = _text(value, struct).encode(), ""
    return JsonDocument(
        id=_first(value, _IDS, ""),
        title=_first(value, ("title",), "") or _first(struct, ("title",), ""),
        uri=_first(value, _URIS, "") or _first(struct, _URIS, "") or uri,
        mime=mime,
        data=data,
        struct_data=struct,
        acl_info=_acl_info(value),
    )


def body_text(struct: Mapping[str, Any]) -> str:
    """Return the text in structured data: its strings, the usual text fields first.

    See "How are JSON lines read?" in ``guide/importing.md``.
    """
    first = [struct[key] for key in _TEXTS if isinstance(struct.get(key), str)]
    skipped = {*_TEXTS, *_URIS, "title"}
    rest = [text for key, text in struct.items() if key not in skipped and isinstance(text, str)]
    return "\n\n".join(text for text in first or rest if text.strip())


def _struct(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``structData``, else ``jsonData``, else what else the line says of the document."""
    given: object = value.get("structData")
    if given is None and isinstance(value.get("jsonData"), str):
        given = msgspec.json.decode(value["jsonData"])
    if given is None:
        return {
            key: item for key, item in value.items() if key not in _NOT_DATA and item is not None
        }
    if not isinstance(given, dict):
        raise Unreadable("INVALID_JSON", "structData is not a JSON object")
    return cast("dict[str, Any]", given)


def _acl_info(value: Mapping[str, Any]) -> AclInfo | None:
    """Return who may read the document; what cannot be read is refused, not left out."""
    given: object = next((value[key] for key in _READERS if value.get(key) is not None), None)
    if given is None:
        return None
    try:
        return json_codec.decode(AclInfo, msgspec.json.encode(given))
    except InvalidArgument as exc:
        raise Unreadable("INVALID_JSON", f"aclInfo: {exc.message}") from exc


def _text(value: Mapping[str, Any], struct: Mapping[str, Any]) -> str:
    for key in _TEXTS:
        text: object = value.get(key)
        if isinstance(text, str) and text:
            return text
    return body_text(struct)


def _raw(content: Mapping[str, Any]) -> bytes:
    raw: object = content.get("rawBytes")
    if raw is None:
        return b""
    try:
        return base64.b64decode(str(raw), validate=True)
    except binascii.Error as exc:
        raise Unreadable("INVALID_JSON", "content.rawBytes is not base64") from exc


def _first(value: Mapping[str, Any], keys: tuple[str, ...], default: str) -> str:
    for key in keys:
        found: object = value.get(key)
        if isinstance(found, str | int) and not isinstance(found, bool) and found != "":
            return str(found)
    return default


def records(text: str) -> tuple[Block, ...]:
    """Return the lines of *text* as rows where each is a JSON object, else nothing.

    So programs keep logs and conversations in one text file, and read whole lines back.
    """
    rows: list[Block] = []
    for found in _LINE.finditer(text):
        line = found[0].strip()
        if not line:
            continue
        if not _is_object(line):
            return ()
        start = found.start() + found[0].index("{")
        rows.append(Block(BlockKind.ROW, start, start + len(line), whole=len(rows) + 1))
    return tuple(rows)


def _is_object(line: str) -> bool:
    if not (line.startswith("{") and line.endswith("}")):
        return False
    try:
        _OBJECT.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return False
    return True


_LINE: Final = re.compile(r"[^\n]+")
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])
