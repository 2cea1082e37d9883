"""Tell what is found in a reference from what explains: a portal may have thousands of entries.

Each of them has the word that is asked in its name, and few others, so that they come before the
one page that says what it is or how it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.corpus.index import Chunk, Hit
from service.generation.extraction import entries
from service.language import detection, question_kinds
from service.language.question_kinds import QuestionKind

_EXPLAINED: Final = frozenset(
    (
        QuestionKind.HOW_TO,
        QuestionKind.DEFINITION,
        QuestionKind.REASON,
        QuestionKind.LIST,
        QuestionKind.COMPARISON,
    )
)
"""Kinds of question that a reference seldom answers."""
_MOST: Final = 0.5
"""The share of the hits that are entries from which on others are looked for."""


def hide(hits: Sequence[Hit], query: str) -> bool:
    """Tell whether entries of a reference are most of the *hits* for a *query* that names none."""
    language = detection.detect(query, "en")
    if question_kinds.read(query, language).kind not in _EXPLAINED:
        return False
    held = sum(not explains(hit.chunk, query) for hit in hits)
    return held > _MOST * len(hits)


def explains(chunk: Chunk, query: str) -> bool:
    """Tell whether *chunk* is no entry, or the one that *query* names."""
    return not entries.is_most(chunk.title, chunk.headings, chunk.text, chunk.blocks, query)
