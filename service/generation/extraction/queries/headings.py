"""Read a heading: the terms that it has, what it asks, and what it names beside each other."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from typing import Final, NamedTuple

from service.generation.extraction.queries import negations
from service.language import content_terms, question_kinds
from service.language.queries import short_forms
from service.language.question_kinds import QuestionKind

_COORDINATED: Final = re.compile(
    r"(?<!\w)((?:[\w'’-]{1,40}, ){0,8}[\w'’-]{1,40}),?"
    r" (?:or|and|o|y|e|ou|et|oder|und) ([\w'’-]{1,40})",
    re.IGNORECASE,
)
"""Words of which each stands for itself: "add, delete or rename columns"."""


class HeadingReading(NamedTuple):
    """The terms of a heading, what kind of question it asks, and what turns its sense."""

    terms: frozenset[str]
    asks: QuestionKind | None
    negations: frozenset[str]


@functools.lru_cache(maxsize=1024)
def read(text: str, language: str) -> HeadingReading:
    """Return what the heading *text* says, in the language of its page."""
    topic, asks = text, None
    kind, asked = question_kinds.read(text, language)
    # "How to sign in" and "How do I sign in" ask without a mark, too.
    if text.endswith(("?", "？")) or kind is QuestionKind.HOW_TO:
        topic, asks = asked, kind
    known = frozenset(content_terms.of(topic, language) or content_terms.of(text, language))
    return HeadingReading(known, asks, negations.of(text, language))


def questions(text: str) -> tuple[str, ...]:
    """Return the heading *text*, and each question that is one of its several sentences.

    One that has a short form in brackets is read by either name.
    """
    if not _ASKS.search(text[:-1]):
        return (text, *short_forms.variants(text))
    return (text, *(one for one in _SENTENCE.split(text) if one.endswith("?")))


_ASKS: Final = re.compile(r"[.!?]\W? ")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\W? (?=[A-Z¿])")


def named_beside(text: str, language: str, asked: Collection[str]) -> frozenset[str]:
    """Return the terms that the heading *text* names beside one that is *asked*.

    Who asks how to delete a column is told under "Add, delete or rename columns".
    """
    groups = (
        frozenset(content_terms.of(f"{found[1]} {found[2]}", language))
        for found in _COORDINATED.finditer(text)
    )
    return frozenset[str]().union(*(group for group in groups if not group.isdisjoint(asked)))
