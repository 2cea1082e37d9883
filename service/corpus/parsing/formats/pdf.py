"""Read PDF page by page: paragraphs are put together again, running heads and feet go."""

from __future__ import annotations

import collections
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pypdf
from pypdf.errors import PyPdfError

from service.blocks import BlockKind
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    one_line,
)

_ITEM: Final = re.compile(r"(?:[-*•·–◦▪●■»›]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+\S")
_DIGITS: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_EDGE_LINES: Final = 3
_NEAR: Final = 400
"""How far ahead in the text a fragment is looked for, in characters."""
_REPEATED: Final = 0.6
"""A line at the edge of this share of the pages is a running head or foot."""
_LARGER: Final = 1.12
"""A heading is set in type so much larger than most of the text."""
_SMALLER: Final = 0.9
"""Bold type of at least this share of the usual size may be a heading."""
_RARE: Final = 0.3
"""What sets more than this share of the text sets no headings."""
_HEADING_LENGTH: Final = 120
_ENDS: Final = tuple(".!?:;。！？：；")


class _Style(NamedTuple):
    """How a line is set: the size of its type in points, and whether it is bold."""

    size: float
    bold: bool


_UNKNOWN: Final = _Style(0.0, bold=False)


class _Line(NamedTuple):
    """A line of a page and how most of it is set."""

    text: str
    style: _Style


def read(data: bytes, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the bytes of a PDF hold.

    Raises:
        Unreadable: it is no PDF, broken, locked, without text, or over the limits.
    """
    body = BodyBuilder(limits)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("ENCRYPTED", "the PDF is locked with a password")
        if len(reader.pages) > limits.pages:
            raise Unreadable("TOO_LARGE", f"the PDF has more than {limits.pages} pages")
        pages = [_lines(page) for page in reader.pages]
        title = one_line(str((reader.metadata and reader.metadata.title) or ""))
    except (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError) as exc:
        raise Unreadable("BROKEN_FILE", f"the file is not a whole PDF: {exc}") from exc
    except (RecursionError, ArithmeticError) as exc:
        raise Unreadable("BROKEN_FILE", "the PDF is damaged or built to harm") from exc
    if not any(pages):
        raise Unreadable(
            "NO_TEXT", "the PDF holds no text, only pictures; recognise its text first"
        )
    _add(pages, body)
    return body.build(title=_believable(title), mime="application/pdf")


def _lines(page: pypdf.PageObject) -> list[_Line]:
    """Return the lines of a page with their style.

    pypdf tells the style of each fragment, not where the fragment ends up: the fragments are
    looked up in the text in their order.
    """
    fragments: list[tuple[str, _Style]] = []

    def remember(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        scale = abs(tm[3] * cm[3]) or abs(tm[1] * cm[1]) or 1.0
        bold = "bold" in str(font.get("/BaseFont", "")).lower() if font else False
        style = _Style(round((size or 1.0) * scale, 1), bold)
        fragments.extend((part.strip(), style) for part in text.split("\n") if part.strip())

    text = page.extract_text(visitor_text=remember)
    styles = _styles(text, fragments)
    lines: list[_Line] = []
    at = 0
    for line in text.split("\n"):
        if stripped := line.strip():
            weights = collections.Counter(styles[at : at + len(line)])
            weights.pop(_UNKNOWN, None)
            lines.append(_Line(stripped, weights.most_common(1)[0][0] if weights else _UNKNOWN))
        at += len(line) + 1
    return lines


def _styles(text: str, fragments: Sequence[tuple[str, _Style]]) -> list[_Style]:
    """Return the style of each character of *text*."""
    styles = [_UNKNOWN] * len(text)
    at = 0
    for fragment, style in fragments:
        found = text.find(fragment, at, at + _NEAR + len(fragment))
        if found >= 0:
            at = found + len(fragment)
            styles[found:at] = [style] * len(fragment)
    return styles


def _add(pages: Sequence[list[_Line]], body: BodyBuilder) -> None:
    running = _running(pages)
    headings = _heading_styles(pages)
    for number, page in enumerate(pages, start=1):
        kept = [line for line in page if _shape(line.text) not in running]
        for kind, text, style in _paragraphs(kept, headings):
            level = headings[style] if kind is BlockKind.HEADING else 0
            body.add(kind, text, level=level, page=number)


def _heading_styles(pages: Sequence[list[_Line]]) -> dict[_Style, int]:
    """Return the styles that set headings apart from most of the text, and their levels."""
    weights: collections.Counter[_Style] = collections.Counter()
    for line in (line for page in pages for line in page):
        weights[line.style] += len(line.text)
    usual = weights.most_common(1)[0][0]
    rare = {style for style, weight in weights.items() if weight < _RARE * weights.total()}
    above = sorted(
        (
            style
            for style in rare
            if style.size > usual.size * _LARGER
            or (style.bold and not usual.bold and style.size >= usual.size * _SMALLER)
        ),
        reverse=True,
    )
    return {style: min(level, 6) for level, style in enumerate(above, start=1)}


def _running(pages: Sequence[list[_Line]]) -> set[str]:
    """Return the shapes of the lines that stand at the edge of most pages."""
    if len(pages) < _EDGE_LINES:
        return set()
    edges: collections.Counter[str] = collections.Counter()
    for page in pages:
        edges.update({_shape(line.text) for line in page[:_EDGE_LINES] + page[-_EDGE_LINES:]})
    return {shape for shape, count in edges.items() if count >= _REPEATED * len(pages)}


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line)


def _paragraphs(
    lines: Sequence[_Line], headings: Mapping[_Style, int]
) -> Iterator[tuple[BlockKind, str, _Style]]:
    """Yield headings, list items and paragraphs; lines that only wrap are joined again."""
    width = max((len(line.text) for line in lines), default=0)
    kind, parts, last = BlockKind.TEXT, list[str](), _Line("", _UNKNOWN)
    for line in lines:
        starts = _kind(line, headings)
        if starts is BlockKind.HEADING or kind is BlockKind.HEADING:
            joins = starts is kind and line.style == last.style and _goes_on(parts, line)
        else:
            joins = starts is BlockKind.TEXT and _wraps(last.text, line.text, width)
        if parts and not joins:
            yield kind, _joined(parts), last.style
            parts = []
        if not parts:
            kind = starts
        parts.append(line.text)
        last = line
    if parts:
        yield kind, _joined(parts), last.style


def _kind(line: _Line, headings: Mapping[_Style, int]) -> BlockKind:
    text = line.text
    if (
        line.style in headings
        and len(text) <= _HEADING_LENGTH
        and _LETTERS.search(text)
        and not text.endswith((",", ";"))
    ):
        return BlockKind.HEADING
    if not _LETTERS.search(text) and len(text.split()) > 1:
        return BlockKind.ROW
    return BlockKind.ITEM if _ITEM.match(text) else BlockKind.TEXT


def _goes_on(parts: Sequence[str], line: _Line) -> bool:
    """Tell whether *line* belongs to the heading that *parts* began."""
    length = sum(map(len, parts)) + len(line.text)
    ended = parts[-1].endswith(_ENDS) or _ITEM.match(line.text)
    return length <= _HEADING_LENGTH and not ended


def _wraps(line: str, after: str, width: int) -> bool:
    """Tell whether *after* goes on with the sentence of *line*."""
    if after[:1].islower() or line.endswith(("-", ",")):
        return True
    head = after.split(maxsplit=1)[0]
    return len(line) + len(head) + 1 > _FULL * width and not (
        line.endswith(_ENDS) and len(line) < _FULL * width
    )


_FULL: Final = 0.8
"""A line that this share of the widest is filled, as far as ragged setting tells."""


def _joined(parts: Sequence[str]) -> str:
    """Join lines; a word broken at the end of a line is made whole."""
    text = parts[0]
    for part in parts[1:]:
        if text.endswith("-") and text[-2:-1].islower() and part[:1].islower():
            text = text[:-1] + part
        else:
            text = f"{text} {part}"
    return text


def _believable(title: str) -> str:
    """Return *title* unless a program left it: a file name, or nothing said."""
    return "" if re.search(r"\.\w{2,5}$|^untitled|^microsoft word", title, re.I) else title
