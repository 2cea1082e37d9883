"""Tell whether a sentence says what a term is, outright or in passing: "A berth is a place"."""

from __future__ import annotations

import functools
import re
from typing import Final

from service.generation.extraction import cues
from service.language import function_words
from service.language.queries import short_forms

_PARENTHESES: Final = re.compile(
    r"\([^()]{1,80}\)|, (?:also|or|often|sometimes|which)\b[^,.;]{1,80},"
)
_OPENING: Final = 260
"""Characters of a sentence in which it says what it defines."""
_TERM: Final = 8
"""Words of the longest term."""


def defines(topic: str, text: str, language: str = "en") -> bool:
    """Tell whether *text*, a sentence, says what *topic* is: "A *topic* is …"."""
    term = _term(topic.casefold(), language[:2])
    if term is None:
        return False
    opening = text[:_OPENING]
    read = {opening, _PARENTHESES.sub(" ", opening), *short_forms.variants(opening)}
    if any(_says(term, one.casefold(), language[:2]) for one in read):
        return True
    return _is_explained(term, text)


def defines_outright(topic: str, text: str, language: str = "en") -> bool:
    """Tell whether *text* says in so many words what *topic* is: no special one, nor what it does.

    "A *topic* is", not "A small *topic* is" or "A *topic* provides".
    """
    term = _term(topic.casefold(), language[:2])
    if term is None or not defines(topic, text, language):
        return False
    if _is_explained(term, text):
        return True
    opening = text[:_OPENING].casefold()
    found = term.search(opening)
    if found is None or _CALLED.search(opening, 0, found.start()):
        return found is not None
    before = _LAST_WORD.search(opening, 0, found.start())
    if before and before[0] not in function_words.of(language):
        return False
    verb = _around(language[:2])[1].match(opening, found.end())
    if verb is None or language[:2] != "en":
        return True
    told = not verb[0].endswith(" is") or _A_KIND.match(opening, verb.end()) is not None
    return told and len(verb[0].split()) <= _NEAR_VERB and bool(_outright().search(verb[0]))


_A_KIND: Final = re.compile(
    r"\W+(?:\w+ly\W+)?(?:an?|the|one|any|another|what|how|when|where|that|those)\b"
)
"""Follows "is" where it says of what kind something is: "a boat" does, "blue" does not."""
_NEAR_VERB: Final = 3
"""Words from a term to the end of the verb that is said of it: "*Topic* or loss is"."""


def sets(topic: str, text: str) -> bool:
    """Tell whether *text* leads to what follows from *topic*: "When the lock is on:"."""
    if not text.endswith((":", "：")) or not _setting().match(text):
        return False
    term = _term(topic.casefold(), "en")
    return term is not None and term.search(text.casefold()) is not None


def is_entry(text: str, topic: str = "", language: str = "en") -> bool:
    """Tell whether *text* is an entry of a glossary: "tool-align - aligns", and that of *topic*."""
    found = _ENTRY.match(text)
    if found is None or not topic:
        return found is not None
    term = _term(topic.casefold(), language[:2])
    return term is not None and term.fullmatch(found[1].casefold()) is not None


def _is_explained(term: re.Pattern[str], text: str) -> bool:
    """Tell whether brackets behind *term* say what it is: "the fender (a cushion of rubber)"."""
    folded = text.casefold()
    return any(_APPOSED.match(folded, found.end()) for found in term.finditer(folded))


_APPOSED: Final = re.compile(
    r"[\"'”’*_`]{0,3} ?[(（](?:an?|the|that is|une?|l[ae]s?|una?|el|los|eine?|d(?:er|ie|as)),? "
    r"(?:[^\s()]+ ){2,30}[^\s()]+[)）]"
)
"""Explains in brackets what stands before them, in four words or more."""


def _says(term: re.Pattern[str], opening: str, language: str) -> bool:
    found = term.search(opening)
    if found is None:
        return False
    before, after = _around(language)
    begins = before.fullmatch(opening, 0, found.start()) is not None
    if language == "en" and _DEED.fullmatch(opening, 0, found.start()):
        return False  # "Installing Acme is easy" tells of a deed
    if begins and (said := after.match(opening, found.end())) and _is_subject(said[0], language):
        return True
    if language == "en" and begins and _does(opening, found):
        return True
    return _CALLED.search(opening, 0, found.start()) is not None


def _does(opening: str, term: re.Match[str]) -> bool:
    """Tell whether a sentence begins with what a *term* does: "Acme moors the boats of a town"."""
    article = _ARTICLE.fullmatch(opening, 0, term.start())
    return bool(article and (_DOES_ONE if article[1] else _DOES).match(opening, term.end()))


_ARTICLE: Final = re.compile(r"\W*(an? )?(?:the )?(?:[\w-]+ ){0,2}")
_VERB: Final = (
    r" (?!(?:was|has|does|this|its|always|sometimes|plus|less|versus|across)\b)[a-z]{2,}s "
)
_WHAT: Final = r"an?|the|your|you|this|these|all|each|every|any|one|how|whether"
_DOES: Final = re.compile(rf"{_VERB}(?:{_WHAT})\b")
"""A verb and what it is done to, without which it may be a noun: "Acme boats in the harbour"."""
_DOES_ONE: Final = re.compile(rf"{_VERB}(?:{_WHAT}|as|at|like|between)\b")
"""The same of one thing, of which no noun is told in the plural: "An Acme works at the pier"."""


def _is_subject(said: str, language: str) -> bool:
    """Tell whether a term is what a verb is said of: "permit", not that of "a permit holder is"."""
    between = said.split()[:-1]
    if language != "en" or not between or said[:1] in ",;(":
        return True
    first = between[0].strip("\"'”’*_`")
    return not first.isalpha() or first.endswith("ly") or first in function_words.of(language)


@functools.lru_cache(maxsize=256)
def _term(topic: str, language: str) -> re.Pattern[str] | None:
    """Return a pattern of a term and its plural, None where *topic* is none."""
    words = re.findall(r"\w+", topic)
    while words and words[0] in _ARTICLES:
        del words[0]
    if len(words) > 1 and words[-1] in _VAGUE:
        del words[-1]
    if not words or len(words) > _TERM:
        return None
    spelt = r"\W+".join(map(re.escape, words))
    return re.compile(spelt if language == "zh" else rf"(?<![\w-]){spelt}(?:e?s)?\b(?!-\w)")


@functools.cache
def _around(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands before and after a term that is defined."""
    known = cues.alternatives()
    verbs = known.get(f"verbs.{language}", known["verbs.en"])
    gap = r"[^\w,;:.]"
    beside = rf"(?!(?:{known['beside']})\b)"
    end = "" if language == "zh" else r"\b"
    return (
        re.compile(rf"\W*(?:{beside}\w+{gap}+){{0,4}}"),
        re.compile(rf"{gap}*(?:\w+{gap}+){{0,5}}?(?:{verbs}){end}"),
    )


_VAGUE: Final = frozenset(("thing", "things", "stuff"))
"""What may stand behind a name and adds nothing: "this Acme thing"."""
_ARTICLES: Final = frozenset(
    "a an the this that el la los las un una une le les ein eine der die das l d".split()
)
_ENTRY: Final = re.compile(r"[*`_ |]{0,4}([\w-][\w.-]{1,40})[*`_]{0,3}(?:\s+[-–—|:]|\s*—|\s*\|)\s")
"""A term and what stands between it and what it is."""
_DEED: Final = re.compile(r"\W*\w{2,}ing\W+(?:(?:an?|the|your|our|this|these|its)\W+)?", re.I)
"""What is done with what is named behind it."""
_LAST_WORD: Final = re.compile(r"\w+(?=\W*\Z)")
_CALLED: Final = re.compile(r"\b(?:called|known as|referred to as)\W+(?:an?\W+|the\W+)?$")


@functools.cache
def _outright() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{cues.alternatives()['outright']})\Z")


@functools.cache
def _setting() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{cues.alternatives()['setting']})", re.IGNORECASE)
