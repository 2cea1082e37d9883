"""Read the pictures of a page of HTML, with their captions."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from service.corpus.parsing.parsed_documents import BodyBuilder


class PagePictures:
    """The pictures of what is being read, until the block that they stand in is added."""

    def __init__(self, body: BodyBuilder) -> None:
        self._body = body
        self._waiting: list[tuple[int, str]] = []
        self._seen: set[int] = set()  # the elements that were looked at with their figure
        self._captioned = False  # whether the caption of the open figure is told with a picture

    def enter(self, figure: LexborNode) -> None:
        """Look at the pictures of a *figure*, to know what its caption is about."""
        self._captioned = False
        captions = figure.css("figcaption")
        caption = captions[0].text() if len(captions) == 1 else ""
        for node in figure.css("img"):
            self._seen.add(node.mem_id)
            if self._take(node, caption):
                self._captioned = bool(caption)
                caption = ""

    def see(self, node: LexborNode) -> None:
        """Let the picture of an <img> stand beside what is being read."""
        if node.mem_id not in self._seen:
            self._take(node, "")

    def tells(self, leaving: str) -> bool:
        """Tell whether the text that the tag *leaving* ends is told as that of a picture."""
        return leaving == "figcaption" and self._captioned

    def place(self) -> None:
        """Let what waits stand beside the last block."""
        for number, text in self._waiting:
            self._body.add_figure(number, text)
        self._waiting.clear()

    def _take(self, node: LexborNode, caption: str) -> bool:
        address = node.attributes.get("src") or ""
        number = self._body.take_linked(address) if address else None
        if number is None:
            return False
        alternative = node.attributes.get("alt") or ""
        texts = [caption] if alternative in caption else [caption, alternative]
        self._waiting.append((number, " ".join(texts)))
        return True
