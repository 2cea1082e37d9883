"""Read Word documents: headings, lists and tables in the order of the page."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
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
from service.corpus.parsing.formats.docx_lists import WordLists
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    one_line,
    row,
)

_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|标题)\s*(\d)", re.I)
_MIME: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TYPED_ITEM: Final = re.compile(r"\s*(?:\(?\d{1,2}[.)]|[•·▪◦–*-])\s+\S")
"""What begins an item whose mark was typed."""
_BOX: Final = qn("w:txbxContent")
_PAGE_END: Final = qn("w:lastRenderedPageBreak")
_TEXT: Final = qn("w:t")
_SPACES: Final = (qn("w:tab"), qn("w:br"), qn("w:cr"))
_BOXED: Final = ".//w:txbxContent[not(ancestor::*[local-name()='Fallback'])]/w:p"
_CAPTION: Final = "Caption"
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
    title = one_line(document.core_properties.title or "")
    styles: dict[str | None, str] = {}
    lists = WordLists(document)
    pages = _Pages(document)
    pictures = WordPictures(document, body)
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            _add_table(part, body, pages, pictures)
        else:
            place = pages.place(part._p)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            style = _style(part, styles)
            if style == _CAPTION and pictures.caption(part.text):
                continue
            pictures.place()
            styled = _add_paragraph(part, body, style, lists, place)
            pictures.see(part._p)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            for boxed in _boxed(part):
                _add_paragraph(boxed, body, _style(boxed, styles), lists, _Place(place.page))
            title = title or styled
    pictures.place()
    properties = document_properties.of_word(document)
    return body.build(title=title, mime=_MIME, properties=properties)


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


def _style(paragraph: Paragraph, styles: dict[str | None, str]) -> str:
    """Return the name of its style; *styles* are those by id that were looked up, which is slow."""
    own = paragraph._p.style  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if own not in styles:
        styles[own] = (paragraph.style.name if paragraph.style else "") or ""
    return styles[own]


def _boxed(paragraph: Paragraph) -> list[Paragraph]:
    """Return the paragraphs of the text boxes that are anchored in *paragraph*.

    Each is written twice, the second time for old programs.
    """
    own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    found: list[Any] = own.xpath(_BOXED) if own.find(f".//{_BOX}") is not None else []
    return [Paragraph(one, paragraph) for one in found]


def _add_paragraph(
    paragraph: Paragraph, body: BodyBuilder, style: str, lists: WordLists, place: _Place
) -> str:
    """Add one paragraph; return its text where it is styled as the title."""
    text, page, turns = paragraph.text, place.page, place.turns
    if found := _HEADING.match(style):
        body.add(BlockKind.HEADING, text.replace("\n", " "), level=int(found[1]), page=page)
    elif style == "Title":
        body.add(BlockKind.HEADING, text.replace("\n", " "), level=1, page=page)
        return one_line(text)
    elif not text.strip():
        return ""
    elif (item := lists.item(paragraph)) is not None:
        marked = item.marker + text.strip()
        body.add(BlockKind.ITEM, marked, level=item.level, page=page, turns=turns)
    elif "List" in style and "Paragraph" not in style:
        body.add(BlockKind.ITEM, f"- {text.strip()}", page=page, turns=turns)
    elif _TYPED_ITEM.match(text):
        body.add(BlockKind.ITEM, text.strip(), level=1, page=page, turns=turns)
    else:
        body.add(BlockKind.TEXT, text, bold=_bold(paragraph), page=page, turns=turns)
    return ""


def _bold(paragraph: Paragraph) -> str:
    """Return what is set in bold at the beginning of *paragraph*."""
    first = itertools.takewhile(lambda run: run.bold or not run.text.strip(), paragraph.runs)
    return "".join(run.text for run in first)


def _add_table(table: Table, body: BodyBuilder, pages: _Pages, pictures: WordPictures) -> None:
    header: list[str] = []
    above: dict[int, str] = {}
    pictures.place()
    for line in table.rows:
        texts = _texts(line, above)
        page, turns = pages.place(line._tr)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        if not header and len(texts) > 1:
            header = [one_line(text) for text in texts]
            if all(header):
                continue
            header = [""] * len(texts)
        body.add(BlockKind.ROW, row(header, texts), page=page, turns=turns)
        pictures.see(line._tr)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        pictures.place()


def _texts(line: _Row, above: dict[int, str]) -> list[str]:
    """Return what the cells of a row say; *above* is by column what those before said.

    A cell over several columns is told once, one over several rows in each. `_Row.cells` would tell
    it for each column of its span, however many that claims, and look for it from row to row.
    """
    texts: list[str] = []
    column = line.grid_cols_before
    for each in line._tr.tc_lst:  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        text = "\n".join(paragraph.text for paragraph in each.p_lst)
        if each.vMerge == "continue":
            text = above.get(column, text)
        above[column] = text
        texts.append(text)
        column += max(1, each.grid_span)
    return texts
