"""Read the footnotes and endnotes of a Word document, which lie in files of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml

_PARTS: Final = {"/footnotes": qn("w:footnote"), "/endnotes": qn("w:endnote")}
_REFERENCES: Final = {
    qn("w:footnoteReference"): qn("w:footnote"),
    qn("w:endnoteReference"): qn("w:endnote"),
}
_ID: Final = qn("w:id")


class WordFootnotes:
    """What the notes of *document* say, each told once."""

    def __init__(self, document: Document) -> None:
        self._texts: dict[tuple[str, str], str] = {}
        for related in document.part.rels.values():
            tag = next((_PARTS[end] for end in _PARTS if related.reltype.endswith(end)), "")
            if tag and not related.is_external:
                root: Any = parse_xml(related.target_part.blob)
                for note in root.iterchildren(tag):
                    said = " ".join(paragraph.text for paragraph in note.iter(qn("w:p")))
                    self._texts[tag, note.get(_ID) or ""] = said

    def take(self, paragraph: Any) -> Iterator[str]:
        """Yield what the notes say that the element of a *paragraph* refers to."""
        if self._texts:
            for reference in paragraph.iter(*_REFERENCES):
                key = _REFERENCES[reference.tag], reference.get(_ID) or ""
                if said := self._texts.pop(key, ""):
                    yield said
