"""Make one term of a question, by which the heading is found that asks just that.

"How do I update a document?" and "How can I update documents?" have the same: the kind of question
and the words of its topic, in whatever order. The scores of single words do not tell that a heading
asks the very question where each of these words is on every page.
"""

from __future__ import annotations

import re
from typing import Final

from service.language import content_terms, question_kinds
from service.language.queries import section_numbers
from service.language.question_kinds import QuestionKind

_LONGEST: Final = 200
"""Characters of a question that a heading may be; reading longer ones takes a millisecond."""
_ENDS: Final = ("?", "？", "؟")


def of_query(query: str, language: str) -> str:
    """Return the term of *query*, "" where it is too long, or asks nothing in particular."""
    if len(query) > _LONGEST:
        return ""
    kind, topic = question_kinds.read(query, language)
    terms = sorted({*content_terms.of(topic, language)})
    if kind is QuestionKind.OTHER or not terms:
        return ""
    asked = "LETTERS" if _LETTERS.search(query) else kind.name
    return f"?{asked}:{'_'.join(terms)}"


_LETTERS: Final = re.compile(
    r"\bstands? for\b|\b(?:siglas|sigles?|abréviation|abreviatura|abkürzung)\b|\bsteht\b.*\bfür\b"
    r"|缩写",
    re.IGNORECASE,
)
"""Asks for the words that letters are short for, and not for the thing."""


def of_heading(heading: str, language: str) -> str:
    """Return the term of a *heading* that is a question, numbered or not, "" for any other."""
    asks = heading.endswith(_ENDS)
    return of_query(section_numbers.without(heading), language) if asks else ""
