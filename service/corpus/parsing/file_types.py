"""Which type a file has: as it was told, by its name, or by its first bytes."""

from __future__ import annotations

import codecs
import re
from pathlib import PurePosixPath
from typing import Final

DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

MIMES: Final = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".adoc": "text/asciidoc",
    ".asciidoc": "text/asciidoc",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".rst": "text/x-rst",
    ".pdf": "application/pdf",
    ".docx": DOCX,
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".ndjson": "application/jsonl",
}
"""The files that are read, and what their endings stand for."""

WIKI_HEADING: Final = re.compile(r"^[ \t]*(={1,6})[ \t]+(\S[^\n]{0,300}?)[ \t]+\1[ \t]*$", re.M)
"""A heading of wiki text: its number of signs, and what it says."""
_WIKI: Final = re.compile(
    r"\A\ufeff?Content-Type: text/x-\w{0,20}-?wiki|\[\[[^\[\]\n]+\]\]|\*\*\S|''\S"
)
_ALIASES: Final = {
    "text/x-markdown": "text/markdown",
    "text/x-asciidoc": "text/asciidoc",
    "text/prs.fallenstein.rst": "text/x-rst",  # as IANA has it
    "application/xhtml+xml": "text/html",
    "application/x-ndjson": "application/jsonl",
    "application/x-jsonlines": "application/jsonl",
}


def mime_of(data: bytes, *, mime: str = "", filename: str = "") -> str:
    """Return the type of a file: as told, else by its name, else by its first bytes."""
    told = mime.partition(";")[0].strip().lower()
    if told and told != "application/octet-stream":
        return _ALIASES.get(told, told)
    if named := MIMES.get(PurePosixPath(filename).suffix.lower()):
        return named
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    if data.startswith(b"PK\x03\x04") and b"word/" in data[:4096]:
        return DOCX
    head = data[:1024].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "text/html"
    is_text = b"\x00" not in head or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return "text/plain" if is_text else "application/octet-stream"


def is_wiki(text: str) -> bool:
    """Tell whether plain *text* is a page of a wiki: it has headings of that, and other signs."""
    headings = sum(1 for _, _ in zip(WIKI_HEADING.finditer(text), range(2), strict=False))
    return headings > 1 or (headings == 1 and _WIKI.search(text) is not None)
