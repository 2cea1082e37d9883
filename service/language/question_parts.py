"""Cut a query that asks several things into its questions."""

from __future__ import annotations

import re
from typing import Final

from service.language import question_kinds, tags
from service.language.question_kinds import QuestionKind

MOST: Final = 3
"""Questions that are told apart; what follows belongs to the last."""
_READ: Final = 600
"""Characters of a query that is cut; who writes more tells a story."""
_FEWEST_WORDS: Final = 2
_ASKS: Final = {
    "en": (
        r"and|but|also|plus",
        (
            r"(?:(?:after|at|by|for|from|in|on|since|to|until|with) )?"
            r"(?:how|what|when|where|which|whom)"
            r"|why|who|can|could|do|does|did|is|are|should|will|must|may"
        ),
    ),
    "es": (r"y|e|pero|también", r"c[oó]mo|qu[eé]|cu[aá]\w+|d[oó]nde|por qu[eé]|puedo|debo|es|hay"),
    "fr": (r"et|mais|aussi", r"comment|qu\w*|quand|o[uù]|combien|pourquoi|puis-je|dois-je|est-ce"),
    "de": (r"und|aber|auch", r"wie|was|wann|wo|warum|wer|welche\w*|kann|muss|darf|ist|sind|gibt"),
}
_STOP: Final = re.compile(r"(?<=[?？])\s*")


def cut(query: str, language: str = "en") -> tuple[str, ...]:
    """Return the questions of *query* in order, or *query* alone where it asks one thing.

    Each of them asks: who tells a reason before asking has one question.
    """
    if len(query) > _READ:
        return (query,)
    pieces = [piece for piece in _STOP.split(query) if piece.strip()]
    if language := tags.base(language):
        joints = _ASKS.get(language)
        if joints:
            joint = rf"[,;]?\s+(?:{joints[0]})\s+(?=(?:{joints[1]})\b)"
            pieces = [part for one in pieces for part in re.split(joint, one, flags=re.IGNORECASE)]
    parts = tuple(piece.strip(" ,;") for piece in pieces)
    several = 1 < len(parts) <= MOST
    return parts if several and all(_asks(part, language) for part in parts) else (query,)


def _asks(part: str, language: str) -> bool:
    """Tell whether *part* is a question of its own: "why?" behind another asks more of that."""
    spaced = language != "zh"
    if spaced and len(part.split()) < _FEWEST_WORDS:
        return False
    asks = _ASKS.get(language)
    if asks and re.match(rf"(?:{asks[1]})\b", part, re.IGNORECASE):
        return True
    return question_kinds.read(part, language).kind is not QuestionKind.OTHER
