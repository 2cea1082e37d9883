"""Read Word documents: headings, lists, code and tables in the order of the page."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, cast

import docx
from docx.document import Document
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from docx.table import Table, _Row  # pyright: ignore[reportPrivateUsage]
from docx.text.paragraph import Paragraph

from service.blocks import BlockKind
from service.corpus.parsing import document_properties
from service.corpus.parsing.figures.word_pictures import WordPictures
from service.corpus.parsing.formats.word import shown_content
from service.corpus.parsing.formats.word.footnotes import WordFootnotes
from service.corpus.parsing.formats.word.lists import WordLists
from service.corpus.parsing.formats.word.styles import ParagraphStyle, WordStyles, is_fixed_pitch
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    one_line,
    row,
)

_MIME: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TYPED_ITEM: Final = re.compile(r"\s*(?:\(?\d{1,2}[.)]|[•·▪◦–*-])\s+\S")
"""What begins an item whose mark was typed."""
_BOX: Final = qn("w:txbxContent")
_PAGE_END: Final = qn("w:lastRenderedPageBreak")
_TEXT: Final = qn("w:t")
_SPACES: Final = (qn("w:tab"), qn("w:br"), qn("w:cr"))
_BOXED: Final = ".//w:txbxContent[not(ancestor::*[local-name()='Fallback'])]/w:p"
_CAPTION: Final = "Caption"
_INDENT: Final = f"{qn('w:pPr')}/{qn('w:ind')}"
_HEADER_ROW: Final = f"{qn('w:trPr')}/{qn('w:tblHeader')}"
_PARTS: Final = 10_000
_NO_MEMORY: Final = 2  # XML_ERR_NO_MEMORY of libxml2


def read(data: bytes, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the bytes of a DOCX hold.

    Raises:
        Unreadable: it is no DOCX, broken, or expands over the limits.
    """
    _check_size(data, limits)
    try:
        document = docx.Document(io.BytesIO(data))
        return _read(document, BodyBuilder(limits))
    except SyntaxError as exc:
        # So lxml reports broken XML, and want of memory: whoever has set that limit tells of it.
        if getattr(exc, "code", None) == _NO_MEMORY:
            raise MemoryError from exc
        raise _broken(exc) from exc
    except (OpcError, KeyError, ValueError, AttributeError, zipfile.BadZipFile) as exc:
        raise _broken(exc) from exc


def _broken(exc: Exception) -> Unreadable:
    return Unreadable("BROKEN_FILE", f"the file is not a whole Word document: {exc}")


def _check_size(data: bytes, limits: BodyLimits) -> None:
    """Refuse an archive that expands without measure, before anything is expanded."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as exc:  # what zipfile raises
        raise Unreadable("BROKEN_FILE", "the file is not a Word document (.docx)") from exc
    # zipfile never expands more than the size that it is told here.
    if len(parts) > _PARTS or sum(part.file_size for part in parts) > limits.expanded_bytes:
        raise Unreadable("TOO_LARGE", "the parts of the Word document expand to too much")


def _read(document: Document, body: BodyBuilder) -> ParsedDocument:
    shown_content.unwrap(cast("Any", document).element.body)
    reader = _Reader(document, body)
    reader.add(document.iter_inner_content())
    properties = document_properties.of_word(document)
    title = one_line(document.core_properties.title or "") or reader.title
    return body.build(title=title, mime=_MIME, properties=properties)


class _Listed(NamedTuple):
    """A paragraph of a list: an item, or what belongs to the one before it."""

    kind: BlockKind
    text: str
    level: int


class _Reader:
    """Adds the parts of *document* to *body* in their order."""

    def __init__(self, document: Document, body: BodyBuilder) -> None:
        self.title = ""
        """What is styled as the title, "" until it is read."""
        self._body = body
        self._styles = WordStyles()
        self._lists = WordLists(document)
        self._pages = _Pages(document)
        self._pictures = WordPictures(document, body)
        self._footnotes = WordFootnotes(document)
        self._level = 0
        """How many lists are open in the item before, 0 where no item is before."""
        self._indent = 0
        """How far in the last paragraph begins that is of no list, in twentieths of a point."""
        self._term = 0
        """The number of a term and its definition as a whole, 0 where no term is before."""
        self._code: list[str] = []
        """The lines of code that were read last, each of them a paragraph."""
        self._code_level = self._code_page = 0

    def add(self, parts: Iterable[Paragraph | Table]) -> None:
        """Add *parts*, and what they hold."""
        for part in parts:
            if isinstance(part, Table):
                self._end_code()
                self._pictures.place()
                self._add_table(part)
            else:
                self._add_paragraph(part)
        self._end_code()
        self._pictures.place()

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        place = self._pages.place(own)
        style = self._styles.of(paragraph)
        if style.name == _CAPTION and self._pictures.caption(paragraph.text):
            return
        if style.is_code or is_fixed_pitch(paragraph):
            self._add_code(paragraph, place)
        else:
            self._end_code()
            self._pictures.place()
            self._add_text(paragraph, style, place)
        self._pictures.see(own)
        for note in self._footnotes.take(own):
            self._body.add(BlockKind.TEXT, note, level=self._level, page=place.page)
        for boxed in _boxed(paragraph):
            self._add_text(boxed, self._styles.of(boxed), _Place(place.page))

    def _add_code(self, paragraph: Paragraph, place: _Place) -> None:
        if not self._code:
            counted = self._lists.item(paragraph)
            self._code_level = (
                min(counted.level, self._level) if counted else self._level_of(paragraph)
            )
            self._code_page = place.page
        self._code.append(paragraph.text)

    def _end_code(self) -> None:
        """Add the lines of code that were read last as one block."""
        if self._code:
            code = "\n".join(self._code)
            self._body.add(BlockKind.CODE, code, level=self._code_level, page=self._code_page)
            self._code.clear()

    def _add_text(self, paragraph: Paragraph, style: ParagraphStyle, place: _Place) -> None:
        text, page, turns = paragraph.text, place.page, place.turns
        if style.is_contents or not text.strip():
            return
        if style.defines is BlockKind.TERM:
            self._term = self._body.new_whole()
        elif style.defines is None:
            self._term = 0
        if level := style.level or style.is_title:
            self._level = self._indent = 0
            self._body.add(BlockKind.HEADING, text.replace("\n", " "), level=int(level), page=page)
            if style.is_title:
                self.title = self.title or one_line(text)
        elif (kind := style.defines) and (self._term or kind is BlockKind.TERM):
            self._level = 0
            self._body.add(kind, text, page=page, whole=self._term, turns=turns)
        elif listed := self._listed(paragraph, style, text.strip()):
            kind, text, self._level = listed
            self._body.add(kind, text, level=self._level, page=page, turns=turns)
        else:
            self._level, self._indent = 0, _indent(paragraph)
            bold = _bold(paragraph)
            self._body.add(BlockKind.TEXT, text, bold=bold, page=page, turns=turns)

    def _listed(self, paragraph: Paragraph, style: ParagraphStyle, text: str) -> _Listed | None:
        """Return what of a list *paragraph* is, None where it is of none."""
        if (counted := self._lists.item(paragraph)) is not None:
            if counted.marker:
                return _Listed(BlockKind.ITEM, counted.marker + text, counted.level)
            return _Listed(BlockKind.TEXT, text, min(counted.level, self._level))
        if style.is_item:
            return _Listed(BlockKind.ITEM, f"- {text}", 1)
        if _TYPED_ITEM.match(text):
            return _Listed(BlockKind.ITEM, text, 1)
        level = self._level if style.goes_on else self._level_of(paragraph)
        return _Listed(BlockKind.TEXT, text, level) if level else None

    def _level_of(self, paragraph: Paragraph) -> int:
        """Return the level of the item before where *paragraph* is set in as a part of it."""
        return self._level if _indent(paragraph) > self._indent else 0

    def _add_table(self, table: Table) -> None:
        """Add the rows of *table*, or what it holds where it only draws a frame round it."""
        rows = [*table.rows]
        if all(len(line._tr.tc_lst) == 1 for line in rows):  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            for line in rows:
                for cell in line._tr.tc_lst:  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                    self.add(_parts(cell, table))
            return
        self._level = 0
        header: list[str] = []
        above: dict[int, str] = {}
        for line in rows:
            texts = _texts(line, above)
            own: Any = line._tr  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            page, turns = self._pages.place(own)
            if not header and len(texts) > 1:
                header = [""] * len(texts)
                if _names_columns(line, texts):
                    header = [one_line(text) for text in texts]
                    continue
            self._body.add(BlockKind.ROW, row(header, texts), page=page, turns=turns)
            self._pictures.see(own)
            self._pictures.place()


class _Place(NamedTuple):
    """Where a part begins, 0 where there are no pages; and where it goes on.

    *turns* are the pages behind the first one, each with the text of the part from there.
    """

    page: int
    turns: tuple[tuple[str, int], ...] = ()


class _Pages:
    """Counts the pages of *document*, whose parts are to be placed in their order.

    Word notes in the text where its pages ended when it was last laid out (ECMA-376 part 1,
    17.3.3.13 ``lastRenderedPageBreak``). A document without such notes, as other programs write
    it, has no pages: breaks that its author set say nothing of those in between.
    """

    def __init__(self, document: Document) -> None:
        body = cast("Any", document).element.body
        self._page = 1 if body.find(f".//{_PAGE_END}") is not None else 0

    def place(self, part: Any) -> _Place:
        """Return where the next *part* stands: the element of a paragraph or of a row."""
        if not self._page:
            return _Place(0)
        texts, starts = list[str](), list[tuple[int, int]]()
        first = 0
        for each in part.iter(_PAGE_END, _TEXT, *_SPACES):
            if each.tag == _PAGE_END:
                self._page += 1
                if first:
                    starts.append((len(texts), self._page))
                continue
            texts.append((each.text or "") if each.tag == _TEXT else " ")
            if texts[-1].strip():
                first = first or self._page
        turns = tuple(("".join(texts[at:]), page) for at, page in starts)
        return _Place(first or self._page, tuple(turn for turn in turns if turn[0].strip()))


def _boxed(paragraph: Paragraph) -> list[Paragraph]:
    """Return the paragraphs of the text boxes that are anchored in *paragraph*.

    Each is written twice, the second time for old programs.
    """
    own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    found: list[Any] = own.xpath(_BOXED) if own.find(f".//{_BOX}") is not None else []
    return [Paragraph(one, paragraph) for one in found]


def _indent(paragraph: Paragraph) -> int:
    """Return how far in *paragraph* itself says that it begins, in twentieths of a point."""
    own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    found = own.find(_INDENT)
    value = "" if found is None else found.get(qn("w:left")) or found.get(qn("w:start")) or ""
    return int(value) if value.isdecimal() else 0


def _parts(cell: Any, within: Table) -> Iterator[Paragraph | Table]:
    """Yield the paragraphs and tables of the element of a cell of a table."""
    for element in cell.inner_content_elements:
        is_table = element.tag == qn("w:tbl")
        yield Table(element, within) if is_table else Paragraph(element, within)


def _names_columns(line: _Row, texts: list[str]) -> bool:
    """Tell whether the first row of a table names its columns; the corner may be empty.

    It does, unless it looks like any other row: with its own name before what that tells.
    """
    if not all(map(str.strip, texts[1:])):
        return False
    own: Any = line._tr  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if own.find(_HEADER_ROW) is not None:
        return True
    bold = [_is_bold(cell, line.table) for cell in own.tc_lst]
    if bold[0]:
        return all(bold)
    tells = len(texts) == 2 and any(map(str.isdecimal, texts[1]))
    return bold[-1] or not (tells or texts[0].rstrip().endswith(":"))


def _is_bold(cell: Any, within: Table) -> bool:
    """Tell whether all that the element of a cell says is set in bold."""
    runs = [run for one in cell.p_lst for run in Paragraph(one, within).runs if run.text.strip()]
    return bool(runs) and all(run.bold for run in runs)


def _bold(paragraph: Paragraph) -> str:
    """Return what is set in bold at the beginning of *paragraph*."""
    first = itertools.takewhile(lambda run: run.bold or not run.text.strip(), paragraph.runs)
    return "".join(run.text for run in first)


def _texts(line: _Row, above: dict[int, str]) -> list[str]:
    """Return what the cells of a row say; *above* is by column what those before said.

    A cell over several columns is told once, one over several rows in each. `_Row.cells` would tell
    it for each column of its span, however many that claims, and look for it from row to row.
    """
    texts: list[str] = []
    column = line.grid_cols_before
    for each in line._tr.tc_lst:  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        text = "\n".join(_lines(each))
        if each.vMerge == "continue":
            text = above.get(column, text)
        above[column] = text
        texts.append(text)
        column += max(1, each.grid_span)
    return texts


def _lines(cell: Any) -> Iterator[str]:
    """Yield what the element of a cell says, with the tables in it."""
    for element in cell.inner_content_elements:
        if element.tag == qn("w:tbl"):
            yield from itertools.chain.from_iterable(map(_lines, element.iter_tcs()))
        else:
            yield element.text
