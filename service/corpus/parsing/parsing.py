"""Turn the bytes of a file into text that can be cut, searched and cited."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import msgspec

from service.corpus.parsing import file_types
from service.corpus.parsing.formats import json_lines, plain
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable
from sessions.supervision import PASSING

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LIMITS: Final = BodyLimits()


def parse(
    data: bytes,
    *,
    mime: str = "",
    filename: str = "",
    limits: BodyLimits = _LIMITS,
    files: Mapping[str, bytes] | None = None,
) -> ParsedDocument:
    """Return the document in *data*, read as *mime* or, without one, as its name or bytes tell.

    It may show the images *files*, by their paths from where it lies.

    What it takes is bounded only by the process in which it is called. JSON lines hold many
    documents, which are told by `json_lines.read_line` first.

    Raises:
        Unreadable: the format is not supported, the file is broken, or over the *limits*.
        MemoryError: it takes more memory than the process may have.
    """
    if len(data) > limits.file_bytes:
        raise Unreadable("TOO_LARGE", f"the file is larger than {limits.file_bytes} bytes")
    try:
        kind = file_types.mime_of(data, mime=mime, filename=filename)
        parsed = _read(data, kind, limits, files)
    except (Unreadable, MemoryError):
        raise
    except PASSING:
        raise
    except BaseException as exc:
        # What readers of broken files raise cannot be named: zlib, zipfile and others have their
        # own, and native code panics past `Exception`. One bad file must not stop an import.
        raise Unreadable("BROKEN_FILE", "the file is damaged and cannot be read") from exc
    stem = PurePosixPath(filename).stem if filename else ""
    return parsed if parsed.title or not stem else msgspec.structs.replace(parsed, title=stem)


def _read(
    data: bytes, mime: str, limits: BodyLimits, files: Mapping[str, bytes] | None
) -> ParsedDocument:
    # Readers are imported when they are needed: together they take half of the time and of the
    # memory with which a process begins, and most read one or two formats.
    match mime:
        case "application/pdf":
            from service.corpus.parsing.formats import pdf  # noqa: PLC0415

            return pdf.read(data, limits)
        case "text/markdown":
            from service.corpus.parsing.formats import markdown  # noqa: PLC0415

            return markdown.read(decode(data), limits, files)
        case "text/asciidoc":
            from service.corpus.parsing.formats.markup import asciidoc  # noqa: PLC0415

            return asciidoc.read(decode(data), limits)
        case "text/html":
            from service.corpus.parsing.formats import html  # noqa: PLC0415

            return html.read(decode(data), limits, files)
        case "application/json":
            return _read_json(data, limits)
        case file_types.DOCX:
            from service.corpus.parsing.formats.word import docx  # noqa: PLC0415

            return docx.read(data, limits)
        case "text/x-rst":
            from service.corpus.parsing.formats.markup import restructured_text  # noqa: PLC0415

            return restructured_text.read(decode(data), limits)
        case "text/plain":
            return _read_plain(decode(data), limits)
        case unknown:
            raise Unreadable("UNSUPPORTED_FORMAT", f"files of type '{unknown}' are not read")


def _read_plain(text: str, limits: BodyLimits) -> ParsedDocument:
    if file_types.is_wiki(text):
        from service.corpus.parsing.formats.markup import wiki_text  # noqa: PLC0415

        return wiki_text.read(text, limits)
    return plain.read(text, limits)


def decode(data: bytes) -> str:
    """Return the text in *data*: UTF-8, UTF-16 with its mark, else Windows-1252."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _read_json(data: bytes, limits: BodyLimits) -> ParsedDocument:
    """Read one JSON object as one document, in the shapes that a JSON line may have."""
    record = json_lines.read_line(data.removeprefix(codecs.BOM_UTF8), 1)
    inner = "text/plain" if record.mime == "application/json" else record.mime
    parsed = parse(record.data, mime=inner, limits=limits)
    return msgspec.structs.replace(
        parsed,
        title=record.title or parsed.title,
        uri=record.uri,
        struct_data=dict(record.struct_data),
    )
