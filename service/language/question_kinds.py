"""Tell what kind of question a query is, and which of its words only ask.

What kind of text answers a query depends on its kind: steps answer "how do I", a sentence with a
number "how many". The words that ask ("what does … mean", "the difference between") name nothing
that an answer must be about. ``question_kinds.txt`` holds the patterns, kept by hand: a line has a
language, a kind and a regular expression, and the first line that matches decides; what its named
groups match within is of the topic. What no line knows is OTHER.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
from typing import Final, NamedTuple

from service.language import tags


class QuestionKind(enum.Enum):
    """What a query wants to be told."""

    HOW_TO = "how to"
    DEFINITION = "definition"
    YES_NO = "yes or no"
    NUMBER = "number"
    DURATION = "duration"
    DATE = "date"
    PRICE = "price"
    PLACE = "place"
    PERSON = "person"
    LIST = "list"
    COMPARISON = "comparison"
    IDENTIFIER = "identifier"
    """What an error code, a setting or another name means that stands in no dictionary."""
    REASON = "reason"
    OTHER = "other"


class QuestionReading(NamedTuple):
    """A query as it asks: its kind, and its words without those that only ask."""

    kind: QuestionKind
    topic: str


_MARKS: Final = " \t\r\n?？¿!！.。,"
_READ: Final = 400
"""Characters of a query that are looked at: who tells a story asks early, or the words decide."""
_NAMES: Final = frozenset({QuestionKind.DEFINITION, QuestionKind.REASON, QuestionKind.OTHER})
"""Kinds of which a query is one of the meaning of an identifier, where it holds one."""
_CODE: Final = re.compile(
    r"\b(?=[A-Z0-9_-]*[A-Z])(?=[A-Z0-9_-]*[\d_])[A-Z0-9][A-Z0-9_-]{2,}\b"  # ZX77Q, SQLITE_BUSY
    r"|\b\d{1,4}-\d{3,}[A-Za-z]?\b"  # form 10-10068
    r"|\b\d{1,3}\.\d{1,3}\.\d{1,3}\b|#\d{2,}\b|\b0x[0-9a-fA-F]+\b|\b[a-z]+(?:_[a-z]+)+\b"
)
_NUMBERED: Final = re.compile(
    r"\b(?:error|code|status|fehler|fehlercode|código|codigo|erreur)\s+(?:code\s+)?(\d{3,5})\b"
    r"|\b(\d{3,5})\s+(?:errors?|status|fehler|erreur)\b|(?:错误|錯誤|代码|代碼)\s*(\d{3,5})",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"[\"“”«»„「『]([^\"“”«»„」』]{3,80})[\"“”«»」』]|(?<!\w)['‘]([^'’]{3,80})['’](?!\w)"
)


def read(query: str, language: str = "en") -> QuestionReading:
    """Return what kind of question *query* is; *language* is a BCP 47 tag."""
    question = QuestionReading(QuestionKind.OTHER, query)
    for kind, pattern in _patterns().get(tags.base(language), ()):
        if found := pattern.search(query[:_READ]):
            question = QuestionReading(kind, _topic(query, found))
            break
    if question.kind in _NAMES and identifiers(query):
        return question._replace(kind=QuestionKind.IDENTIFIER)
    return question


def _topic(query: str, asking: re.Match[str]) -> str:
    """Return *query* without the words that ask, all of it where nothing would be left."""
    kept = filter(None, asking.groupdict().values())
    rest = " ".join((query[: asking.start()], *kept, query[asking.end() :])).strip(_MARKS)
    return rest if any(map(str.isalnum, rest)) else query


def identifiers(query: str) -> tuple[str, ...]:
    """Return the codes, part numbers, versions and quoted strings that *query* holds."""
    sample = query[:_READ]
    found = [match[0] for match in _CODE.finditer(sample)]
    found += [match[match.lastindex or 0] for match in _NUMBERED.finditer(sample)]
    found += [match[match.lastindex or 0].strip() for match in _QUOTED.finditer(sample)]
    return tuple(dict.fromkeys(found))


@functools.cache
def _patterns() -> dict[str, list[tuple[QuestionKind, re.Pattern[str]]]]:
    file = importlib.resources.files("service.language").joinpath("question_kinds.txt")
    patterns = dict[str, list[tuple[QuestionKind, re.Pattern[str]]]]()
    for line in file.read_text("utf-8").splitlines():
        language, kind, pattern = line.split(" ", 2)
        one = QuestionKind[kind], re.compile(pattern, re.IGNORECASE)
        patterns.setdefault(language, []).append(one)
    return patterns
