"""Make one term of a question, by which is found what has a heading that asks just that.

"How do I update a document?" and "How can I update documents?" have the same: the kind of question
and the words of its topic, in whatever order. The scores of single words do not tell that a heading
asks the very question where each of these words is on every page. Nor do they tell that a paragraph
defines a word of which all pages speak: it has the term of the question what that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from service.language import content_terms, question_kinds, tags
from service.language.queries import section_numbers, short_forms
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


def of_heading(heading: str, language: str) -> tuple[str, ...]:
    """Return the terms of a *heading* that is a question, numbered or not, none for any other.

    "What is the Harbour Booking System (HBS)?" is asked by either name.
    """
    if not heading.endswith(_ENDS):
        return ()
    asked = section_numbers.without(heading)
    return _unlike(of_query(one, language) for one in (asked, *short_forms.variants(asked)))


def of_definition(paragraph: str, language: str) -> tuple[str, ...]:
    """Return the terms of what asks for what *paragraph* begins with: "A berth is a place …"."""
    defines = _DEFINES.get(tags.base(language))
    if defines is None:
        return ()
    opening = paragraph[:_OPENING]
    found = map(defines.match, (opening, *short_forms.variants(opening)))
    return _unlike(_defining(one[1], language) for one in found if one)


def _defining(name: str, language: str) -> str:
    words = name.split()
    terms = sorted({*content_terms.of(name, language)})
    told = 0 < len(terms) == len(words) <= _TERM
    return f"?{QuestionKind.DEFINITION.name}:{'_'.join(terms)}" if told else ""


def _unlike(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, terms)))


_OPENING: Final = 200
"""Characters in which a paragraph says what something is."""
_TERM: Final = 6
"""Words of the longest name that is defined."""
_DEFINES: Final = {
    language: re.compile(rf"\W{{0,3}}(?:(?:{article}) )?((?:[\w/&'’-]+ ){{1,8}}?)(?:{kind}) ", re.I)
    for language, article, kind in (
        ("en", "an?|the", "(?:is|are) (?:an?|the|one)"),
        ("es", "una?|el|la|los|las", "(?:es|son) (?:una?|el|la)"),
        ("fr", "une?|les?|la", "(?:est|sont) (?:une?|le|la|des)"),
        ("de", "eine?|der|die|das", "(?:ist|sind) (?:eine?|der|die|das)"),
        ("pt", "uma?|os?|as?", "(?:é|são) (?:uma?|o|a)"),
        ("it", "un[ao]?|il|lo|la|i|gli|le", "(?:è|sono) (?:un[ao]?|il|la)"),
    )
}
"""How a paragraph begins that says of what kind a thing is, by language."""
