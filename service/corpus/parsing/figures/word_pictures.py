"""Read the pictures that are embedded in a Word document, with their captions."""

from __future__ import annotations

from typing import Any, Final

from docx.document import Document
from docx.oxml.ns import qn
from docx.parts.image import ImagePart

from service.corpus.parsing.parsed_documents import BodyBuilder

_BLIP: Final = qn("a:blip")
_FRAMES: Final = (qn("wp:inline"), qn("wp:anchor"))
_PROPERTIES: Final = qn("wp:docPr")
_EMBEDDED: Final = qn("r:embed")


class WordPictures:
    """The pictures of the paragraph that was read, until it is known what comes behind it."""

    def __init__(self, document: Document, body: BodyBuilder) -> None:
        self._parts = document.part.related_parts
        self._body = body
        self._waiting: list[tuple[int, str]] = []

    def see(self, part: Any) -> None:
        """Let the pictures in the element *part* stand beside what was added of it."""
        if part.find(f".//{_BLIP}") is None:
            return
        for frame in part.iter(*_FRAMES):
            described = frame.find(_PROPERTIES)
            text = described.get("descr", "") if described is not None else ""
            for blip in frame.iter(_BLIP):
                self._take(blip.get(_EMBEDDED, ""), text)

    def caption(self, text: str) -> bool:
        """Tell *text* as the caption of what waits; False where there is no picture for it."""
        if not self._waiting:
            return False
        number, alternative = self._waiting[0]
        self._waiting[0] = number, text if alternative in text else f"{text} {alternative}"
        self.place()
        return True

    def place(self) -> None:
        """Let what waits stand beside the last block."""
        for number, text in self._waiting:
            self._body.add_figure(number, text)
        self._waiting.clear()

    def _take(self, relation: str, text: str) -> None:
        image = self._parts.get(relation)
        if not isinstance(image, ImagePart):  # it lies elsewhere, or nowhere
            return
        number = self._body.figures.take_from(str(image.partname).encode(), lambda: image.blob)
        if number is not None:
            self._waiting.append((number, text))
