"""A block on its way: as a reader gives it, and then as it was recognised."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from service.blocks import BlockKind


class LooseFigure(msgspec.Struct, frozen=True):
    """A picture by its number in `figures.collector`, and what it shows, if that is told."""

    number: int
    text: str = ""


class LooseBlock(msgspec.Struct, kw_only=True):
    """A block on its way: as a reader gives it, and then as it was recognised.

    A reader gives the same *whole* to what is one list, table or box in its format, and 0 where
    the format has no word for it. *bold* is how many characters at the beginning are set in bold.
    From character *cut* on, where that is not 0, the text is a block of its own: *rest* is its
    kind, and *rest_whole* its whole. *level* is that of a heading, 0 for
    one below the heading before it, or how many lists are open.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int = 0
    whole: int = 0
    bold: int = 0
    linked: bool = False
    """Whether all of it is a link."""
    cut: int = 0
    rest: BlockKind = BlockKind.TEXT
    rest_whole: int = 0
    gap: str = ""
    """What stands before it in the text, "" for what stands between two blocks of its format."""
    figures: tuple[LooseFigure, ...] = ()
    """The pictures that stand in it or right behind it."""
    turns: tuple[tuple[int, int], ...] = ()
    """Where in its text another page begins: the character, and the page."""

    def page_at(self, offset: int) -> int:
        """Return the page on which the character at *offset* of its text stands."""
        return next((page for at, page in reversed(self.turns) if at <= offset), self.page)


_QUESTION_MARKS: Final = ("?", "？", "؟", "⁇")
_CLOSING: Final = "\"'”’»)）]」』*_ "
ASKED: Final = re.compile(
    r"\W{0,3}(?:\d{1,3}[.)]\s*)?(?:Q|Question|Frage|Pregunta)\s?\d{0,3}\s?[:.)]\s", re.I
)
ANSWERED: Final = re.compile(
    r"\W{0,3}(?:A|Answer|Antwort|Respuesta|Réponse)\s?\d{0,3}\s?[:.)]\s", re.I
)
_QUESTION_LENGTH: Final = 300


def is_question(text: str) -> bool:
    """Tell whether a line is a question, as the headings of an FAQ are."""
    bare = text.rstrip(_CLOSING)
    return len(bare) <= _QUESTION_LENGTH and bare.endswith(_QUESTION_MARKS)
