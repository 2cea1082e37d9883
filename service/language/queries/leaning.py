"""Tell how a query leans on the turn before it.

Who asks on leaves out what was said: the question with another slot ("and in Sweden?"), the thing
by a pronoun ("what if I forget it?"), all of it ("why not?"), or says under which condition the
same is asked ("but I used shift+delete"). What of it says nothing by itself is read from the turn
before, and what stands alone is not pulled back to it.

``leaning.txt`` holds the patterns, kept by hand: a line has a language, a name and a regular
expression. ``opens`` and ``about`` begin what goes on, ``if`` and ``adds`` a condition, ``goes_on``
is all of a query that asks for more, ``points`` are words that stand for what was said but within
``idle``, ``beside`` words that set one thing beside another, ``clause`` verbs that make a question
whole.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from service.language import detection, tags


class Leaning(enum.Enum):
    """What a query leaves out."""

    ALONE = "alone"
    BESIDE = "beside"
    """It stands alone, and is set beside what was asked: "can I still use my password?"."""
    CONDITION = "condition"
    """It says under which condition the same is asked, or what came of it."""
    REFERENCE = "reference"
    """A pronoun stands for what was asked about, or told."""
    TURN = "turn"
    """It turns to another thing of that kind: "what about teammates?"."""
    ELLIPSIS = "ellipsis"
    """It is a part of a question, which the one before makes whole."""
    CONTINUATION = "continuation"
    """It only asks for more."""


DEPENDENT: Final = frozenset(Leaning) - {Leaning.ALONE, Leaning.BESIDE}
"""How a query leans that is not understood without the turn before."""
_READ: Final = 2_000
"""Characters of a query that are looked at; who writes more says what it is about."""
_LONGEST: Final = 8
"""Words of a part of a question; a longer one without a verb has words enough of its own."""
_CHARACTERS: Final = 9
"""The same in a language that sets no spaces."""
_UNDERSTOOD: Final = 6
"""Characters of such a question that names nothing it could be about."""
_UNSPACED: Final = frozenset({"zh", "ja"})
_MARKS: Final = " \t\r\n,;:.!?¿¡…\"'()？！。，、"


class LeaningReading(NamedTuple):
    """How a query leans, and *asked*, what it asks without what only goes on."""

    leaning: Leaning
    asked: str


@functools.lru_cache(maxsize=512)
def read(query: str, language: str = "en") -> LeaningReading:
    """Return how *query* leans on the turn before; *language* is a BCP 47 tag."""
    base = tags.base(language)
    patterns = _patterns().get(base)
    if patterns is None or len(query) > _READ:
        return LeaningReading(Leaning.ALONE, query)
    bare = query.strip(_MARKS)
    if patterns.goes_on.fullmatch(bare):
        return LeaningReading(Leaning.CONTINUATION, bare)
    opened = patterns.opens.match(bare)
    asked = bare[opened.end() :].lstrip(_MARKS) if opened else bare
    return LeaningReading(_leaning(patterns, bare, asked, base), asked or bare)


def after(query: str, last: str) -> LeaningReading:
    """Return how *query* leans on the question *last* before it, in the language of both."""
    return read(query, detection.detect_in(query, [last]))


def _leaning(patterns: _Patterns, bare: str, asked: str, language: str) -> Leaning:
    opened = asked != bare
    if patterns.condition.match(asked):
        return Leaning.CONDITION
    if opened and patterns.adds.match(asked):
        return Leaning.CONDITION
    if patterns.about.match(asked):
        return Leaning.TURN
    whole = patterns.clause.search(asked) is not None
    if language in _UNSPACED:  # what is understood is left out there: "没收到怎么办"
        whole &= len(asked) > _UNDERSTOOD
    elif not whole and _is_short(asked, language) and (opened or _is_short(asked, language, 2)):
        return Leaning.ELLIPSIS
    if patterns.points.search(patterns.idle.sub(" ", asked)):
        return Leaning.REFERENCE
    if not whole and _is_short(asked, language):
        return Leaning.ELLIPSIS
    return Leaning.BESIDE if opened or patterns.beside.search(asked) else Leaning.ALONE


def _is_short(asked: str, language: str, share: int = 1) -> bool:
    if language in _UNSPACED:
        return len(asked) <= _CHARACTERS // share
    return len(asked.split()) <= _LONGEST // share


class _Patterns(NamedTuple):
    """The patterns of a language."""

    opens: re.Pattern[str]
    about: re.Pattern[str]
    condition: re.Pattern[str]
    adds: re.Pattern[str]
    goes_on: re.Pattern[str]
    points: re.Pattern[str]
    idle: re.Pattern[str]
    beside: re.Pattern[str]
    clause: re.Pattern[str]


@functools.cache
def _patterns() -> Mapping[str, _Patterns]:
    file = importlib.resources.files("service.language.queries").joinpath("leaning.txt")
    lines = dict[str, dict[str, str]]()
    for line in file.read_text("utf-8").splitlines():
        language, name, pattern = line.split(" ", 2)
        lines.setdefault(language, {})[name] = pattern
    return {language: _compiled(own, language) for language, own in lines.items()}


def _compiled(lines: Mapping[str, str], language: str) -> _Patterns:
    edge = "" if language in _UNSPACED else r"\b"

    def regex(name: str) -> re.Pattern[str]:
        found = lines.get(name)
        return re.compile(rf"{edge}(?:{found})" if found else r"(?!)", re.IGNORECASE)

    def words(name: str) -> re.Pattern[str]:
        found = lines.get(name)
        return re.compile(rf"{edge}(?:{found}){edge}" if found else r"(?!)", re.IGNORECASE)

    return _Patterns(
        opens=words("opens"),
        about=words("about") if language not in _UNSPACED else regex("about"),
        condition=regex("if"),
        adds=words("adds"),
        goes_on=re.compile(lines.get("goes_on", r"(?!)"), re.IGNORECASE),
        points=words("points"),
        idle=words("idle"),
        beside=words("beside"),
        clause=words("clause"),
    )
