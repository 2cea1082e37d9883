"""Read PDF: paragraphs, lists, tables and headings are put together again; running heads go."""

from __future__ import annotations

import collections
import io
import re
from collections.abc import Sequence
from typing import Final

import pypdf
from pypdf.errors import PyPdfError

from service.blocks import BlockKind
from service.corpus.parsing import document_properties
from service.corpus.parsing.figures import drawn_pictures
from service.corpus.parsing.figures.drawn_pictures import DrawnPictures
from service.corpus.parsing.formats import page_lines, table_rows
from service.corpus.parsing.formats.heading_styles import HeadingStyles
from service.corpus.parsing.formats.page_lines import Area, Line
from service.corpus.parsing.formats.table_rows import Row
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    one_line,
    row,
)

_MARKER: Final = re.compile(
    r"(?:(?P<bullet>[-*+•·–◦▪●■»›→➢➔□☐☑☒✓✔❑❒\x80-\x9f\ue000-\uf8ffo])"
    r"|\(?(?:\d{1,2}|[A-Za-z])[.)]|\d{3}\.)\s+(?=\S)"
)
_DIGITS: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_EDGE_LINES: Final = 3
_REPEATED: Final = 0.6
"""A line at the edge of this share of the pages is a running head or foot."""
_OPTION: Final = 40
"""Characters of a line that may be an option of a form rather than a part of a paragraph."""
_CODE_WIDTH: Final = 0.56
"""Sizes that a character of code is wide, about."""
_NEW_LEVEL: Final = 6.0
"""Points by which the mark of a nested item is indented, at least."""


def read(data: bytes, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the bytes of a PDF hold.

    Raises:
        Unreadable: it is no PDF, broken, locked, without text, or over the limits.
    """
    body = BodyBuilder(limits)
    pictures = DrawnPictures(body.figures)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("ENCRYPTED", "the PDF is locked with a password")
        if len(reader.pages) > limits.pages:
            raise Unreadable("TOO_LARGE", f"the PDF has more than {limits.pages} pages")
        pages = [
            page_lines.read(page, pictures.visitor(page, number))
            for number, page in enumerate(reader.pages, start=1)
        ]
        title = one_line(str((reader.metadata and reader.metadata.title) or ""))
        properties = document_properties.of_pdf(reader)
    except (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError) as exc:
        raise Unreadable("BROKEN_FILE", f"the file is not a whole PDF: {exc}") from exc
    except (RecursionError, ArithmeticError) as exc:
        raise Unreadable("BROKEN_FILE", "the PDF is damaged or built to harm") from exc
    if not any(pages):
        raise Unreadable(
            "NO_TEXT", "the PDF holds no text, only pictures; recognise its text first"
        )
    _Writer(pages, body, pictures).write()
    return body.build(title=_believable(title), mime="application/pdf", properties=properties)


def _without_running(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Return the lines of the pages without those that stand at the edge of most of them."""
    pages = [_without_print_marks(page) for page in pages]
    if len(pages) < _EDGE_LINES:
        return list(pages)
    pages = _without_numbers(pages)
    counts: collections.Counter[str] = collections.Counter()
    edges = [_edges(page) for page in pages]
    for page in edges:
        counts.update({_shape(line.text) for line in page})
    running = {shape for shape, count in counts.items() if count >= _REPEATED * len(pages)}
    kept: list[list[Line]] = []
    for page, edge in zip(pages, edges, strict=True):
        gone = {id(line) for line in edge if _shape(line.text) in running}
        kept.append([line for line in page if id(line) not in gone])
    return kept


def _without_numbers(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Return the lines of the pages without those that tell the number of the page.

    What stands beside the number names the book, the chapter or the section, each on its pages.
    """
    numbered = [
        [(line, number) for line in _outermost(page) if (number := _number(line.text)) is not None]
        for page in pages
    ]
    offsets = collections.Counter(
        offset
        for at, lines in enumerate(numbered)
        for offset in {number - at for _, number in lines}
    )
    offset, count = max(offsets.items(), key=lambda one: one[1], default=(0, 0))
    if count < max(_EDGE_LINES, _NUMBERED * len(pages)):
        return list(pages)
    kept: list[list[Line]] = []
    for at, (page, lines) in enumerate(zip(pages, numbered, strict=True)):
        heights = {round(line.y) for line, number in lines if number - at == offset}
        kept.append([line for line in page if round(line.y) not in heights])
    return kept


def _outermost(page: Sequence[Line]) -> list[Line]:
    """Return what stands highest and lowest on a page."""
    heights = [round(line.y) for line in page]
    edges = {max(heights), min(heights)} if heights else set[int]()
    return [line for line in page if round(line.y) in edges and len(line.text) <= _HEAD]


def _number(text: str) -> int | None:
    """Return the number with which a line begins or ends, None where it has none."""
    found = _AT_END.search(text) or _AT_BEGIN.match(text)
    return int(found[1]) if found else None


_AT_END: Final = re.compile(r"(?:^|[\s–—|])(\d{1,4})$")
_AT_BEGIN: Final = re.compile(r"(\d{1,4})(?=$|[\s–—|])")
_HEAD: Final = 100
"""Characters of a running head at most."""
_NUMBERED: Final = 0.5
"""Where this share of the pages has a number that counts them, it does so on all."""


def _without_print_marks(page: list[Line]) -> list[Line]:
    """Return the lines of a page without the date, title, address and number of who printed it."""
    if not page:
        return page
    edges = {max(round(line.y) for line in page), min(round(line.y) for line in page)}
    stamped = {round(line.y) for line in page if _PRINTED.fullmatch(line.text)} & edges
    return [line for line in page if round(line.y) not in stamped] if stamped else page


_PRINTED: Final = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?: [AP]M)?|(?:https?|file)://\S+"
)
"""What browsers print above or below a page: when it was printed, and from where."""


def _edges(page: Sequence[Line]) -> list[Line]:
    """Return the lines that stand highest and lowest on a page, with all beside them."""
    heights = sorted({round(line.y) for line in page})
    edges = {*heights[:_EDGE_LINES], *heights[-_EDGE_LINES:]}
    return [line for line in page if round(line.y) in edges]


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line)


class _Writer:
    """Writes the areas of all pages as blocks."""

    def __init__(
        self, pages: Sequence[list[Line]], body: BodyBuilder, pictures: DrawnPictures
    ) -> None:
        self._body = body
        self._pictures = pictures
        kept = _without_running(pages)
        page_lines.read_as_typewritten([line for page in kept for line in page])
        self._headings = HeadingStyles(kept)
        leading = page_lines.leadings(kept)
        self._areas = [
            area
            for number, lines in enumerate(kept, start=1)
            for area in page_lines.areas(lines, leading, number)
        ]
        self._beside = pictures.beside(self._areas)
        self._words = collections.Counter(
            word.lower()
            for page in kept
            for line in page
            for word in _WORD.findall(line.text.rstrip("-"))
        )
        self._marks: list[float] = []  # where the marks of the open items stand
        self._last_y = 0.0

    def write(self) -> None:
        """Add all blocks to the body."""
        at = 0
        while at < len(self._areas):
            if drawn_pictures.is_caption(self._areas[at]) and self._place(at, is_caption=True):
                at += 1
                continue
            rows, taken = table_rows.read(self._areas, at)
            if rows:
                self._write_table(rows)
            else:
                taken = self._write_areas(at)
            for beside in range(at, at + taken):
                self._place(beside)
            at += taken

    def _write_areas(self, at: int) -> int:
        """Add the area at *at* with those in which it goes on; return how many these are."""
        taken = 1
        area = self._areas[at]
        while at + taken < len(self._areas) and self._goes_on(area, self._areas[at + taken]):
            area = _joined(area, self._areas[at + taken])
            taken += 1
        self._write_area(area)
        return taken

    def _place(self, at: int, *, is_caption: bool = False) -> bool:
        """Add the pictures beside the area at *at*, which may be their caption; tell of any."""
        text = self._joined(self._areas[at].lines) if is_caption else ""
        taken = [self._pictures.take(picture) for picture in self._beside.pop(at, ())]
        kept = [number for number in taken if number is not None]
        for number in kept:
            self._body.add_figure(number, text)
            text = ""
        return bool(kept)

    def _goes_on(self, area: Area, after: Area) -> bool:
        """Tell whether a paragraph goes on at the top of the next page or column."""
        last, first = area.lines[-1], after.lines[0]
        climbs = after.page > area.page or first.y > last.y
        return (
            climbs
            and first.style == last.style
            and first.mark_x < 0
            and self._headings.level(area) == 0
            and not last.text.endswith(page_lines.ENDS)
            and (first.text[0].islower() or last.text.endswith((",", "-")))
        )

    def _write_table(self, rows: Sequence[Row]) -> None:
        texts = [[table_rows.said(self._joined(cell.lines)) for cell in cells] for cells in rows]
        header: list[str] = []
        if table_rows.is_header(rows, texts):
            header, texts, rows = texts[0], texts[1:], rows[1:]
        whole = self._body.new_whole()
        for cells, said in zip(rows, texts, strict=True):
            text = row(header, said)
            self._body.add(BlockKind.ROW, text, page=cells[0].page, whole=whole)
        self._marks.clear()

    def _write_area(self, area: Area) -> None:
        if level := self._headings.level(area):
            self._marks.clear()
            text = self._joined(area.lines)
            turns = self._turns(area, text)
            self._body.add(BlockKind.HEADING, text, level=level, page=area.page, turns=turns)
        elif all(line.is_code for line in area.lines) and not _is_name(area.lines):
            self._write_code(area)
        elif area.lines[0].mark_x >= 0:
            self._write_item(area)
        elif _are_options(area.lines):
            for line in area.lines:
                self._body.add(BlockKind.ITEM, f"- {line.text}", level=1, page=area.page)
        else:
            text = self._joined(area.lines)
            is_row = not _LETTERS.search(text) and len(text.split()) > 1
            if is_row:
                for line in area.lines:
                    self._body.add(BlockKind.ROW, line.text, page=area.page)
                return
            bold = text if all(line.style.bold for line in area.lines) else ""
            self._body.add(
                BlockKind.TEXT,
                text,
                bold=bold if len(area.lines) == 1 else "",
                page=area.page,
                turns=self._turns(area, text),
            )

    def _write_code(self, area: Area) -> None:
        left, size = area.x, area.style.size or 1.0
        lines = (
            f"{' ' * min(round((line.x - left) / (_CODE_WIDTH * size)), _HEAD)}{line.text}"
            for line in area.lines
        )
        self._body.add(BlockKind.CODE, "\n".join(lines), page=area.page)

    def _write_item(self, area: Area) -> None:
        x = area.lines[0].mark_x
        if area.lines[0].y > self._last_y:  # at the top of the next column or page
            self._marks.clear()
        self._last_y = area.lines[-1].y
        while self._marks and x < self._marks[-1] - _NEW_LEVEL:
            self._marks.pop()
        if not self._marks or x > self._marks[-1] + _NEW_LEVEL:
            self._marks.append(x)
        text = self._joined(area.lines)
        turns = self._turns(area, text)
        found = _MARKER.match(text)
        if found and found["bullet"]:
            text = f"- {text[found.end() :]}"
        self._body.add(BlockKind.ITEM, text, level=len(self._marks), page=area.page, turns=turns)

    def _turns(self, area: Area, text: str) -> list[tuple[str, int]]:
        """Return the pages on which *area*, which says *text*, goes on, each with what it says."""
        return [(text[len(self._joined(area.lines[:line])) :], page) for line, page in area.turns]

    def _joined(self, lines: Sequence[Line]) -> str:
        """Join lines; a word broken at the end of a line is made whole, if it is one word."""
        text = lines[0].text
        for line in lines[1:]:
            head = _WORD.match(line.text)
            tail = text[:-1].rpartition(" ")[2]
            if not (text.endswith("-") and head and head[0][0].islower() and tail[-1:].isalnum()):
                text = f"{text} {line.text}"
            elif tail[-1:].isalpha() and self._is_word(tail, head[0]):
                text = text[:-1] + line.text
            else:
                text += line.text
        return text

    def _is_word(self, tail: str, head: str) -> bool:
        """Tell whether two parts are one word without hyphen, going by the rest of the text."""
        last = _WORD.findall(tail.lower())[-1]
        return not self._words[f"{last}-{head.lower()}"] or bool(self._words[last + head.lower()])


def _is_name(lines: Sequence[Line]) -> bool:
    """Tell whether *lines* are one word, such as that of a setting, which what follows explains."""
    return len(lines) == 1 and " " not in lines[0].text


def _joined(area: Area, after: Area) -> Area:
    """Return a paragraph with what goes on with it, maybe on another page."""
    turns = area.turns
    if after.page > (turns[-1][1] if turns else area.page):
        turns = (*turns, (len(area.lines), after.page))
    return Area([*area.lines, *after.lines], area.page, turns)


def _are_options(lines: Sequence[Line]) -> bool:
    """Tell whether short lines under each other are the options of a form, each its own."""
    return len(lines) > 2 and all(
        len(line.text) <= _OPTION
        and line.text[0].isupper()
        and not line.text.endswith((",", "-", ".", "of", "the", "and", "or"))
        for line in lines
    )


def _believable(title: str) -> str:
    """Return *title* unless a program left it: a file name, or nothing said."""
    return "" if re.search(r"\.\w{2,5}$|^untitled|^microsoft word", title, re.I) else title
