"""Tell what a text can answer by its form: a number, a date, a reason, a definition, a statement.

``cues.txt`` holds the patterns, kept by hand, of English and where a word tells of Spanish, French,
German and Chinese: a line has a name and a regular expression, the lines of a name are
alternatives, and ``<name>`` stands for those of another. They say what a text may be an answer to,
never what it is about.
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import re
from collections.abc import Container
from typing import Final

_LINK: Final = re.compile(
    r"\W*(?:(?:\d{1,3}[.)]|[-*+•])\s*)?(?:!?\[[^\]]*\]\([^)]*\)\W*|<?https?://\S+>?\W*)+"
)
_CODE: Final = re.compile(
    r"[{}]|=>|;\s*$|^\s*</?\w+[ >]|^\s*[\w.\"'\[\]]+\s*[=:]\s*\S.*[,({\[]$|\w\([^)]*\)?\s*[:,]?$"
    r"|^\s*(?:import|from|def|class|async|await|return|const|let|var|print|for|with)\b.*[:;,)(]$"
)
_NAME: Final = re.compile(r"(?<=[a-z0-9,\"“'’(&] )[\"“'(]?([A-Z][\w’'-]+)")
_OPENING: Final = 260
"""Characters of a sentence in which it says what it defines, and on what it leans."""
_POINTER: Final = 300
"""Characters of the longest text that only points elsewhere."""
_FORM: Final = 800
"""Characters of a text that show its form; of a longer one the sentences are read anyway."""
_FIGURES: Final = 4
_ASKS: Final = "asks."
"""Begins the name of what asks for a measure; that of the measure follows."""
_NEAR: Final = 60
"""Characters before and after a number in which stands what it counts."""
_WEAK: Final = 0.3


def fit(cue: str, text: str) -> float:
    """Return how much *text* has the form that *cue* names: 1, less for a weak sign, or 0.

    A cue is the name of a kind of question, a `measure`, or PHONE; those without a form are fit by
    any text.
    """
    strong, weak = _pattern(cue), _pattern(f"{cue}.weak")
    text = text[:_FORM]
    if strong is None or strong.search(text):
        return 1.0
    return _WEAK if weak is not None and weak.search(text) else 0.0


def measure(query: str) -> str:
    """Return the name of the measure that *query* asks for, such as AGE, or ""."""
    return next((name for name, pattern in _measures() if pattern.search(query)), "")


def names_someone(text: str, known: Container[str]) -> bool:
    """Tell whether *text* has a name that is none of the lower-case words *known*.

    What begins a sentence is no name for that.
    """
    return any(found[1].lower() not in known for found in _NAME.finditer(text[:_FORM]))


def opens(heading: str) -> bool:
    """Tell whether what stands under *heading* says what its page is about: "Overview"."""
    return bool(heading) and _alone("overview").fullmatch(heading) is not None


def tells_limits(heading: str) -> bool:
    """Tell whether what stands under *heading* tells how much there may be: "Quotas"."""
    return _pattern_of("limits").search(heading) is not None


def tells_help(heading: str) -> bool:
    """Tell whether what stands under *heading* helps where something fails: "Troubleshooting"."""
    return _pattern_of("failing").search(heading) is not None


def is_proper(kind: str, heading: str) -> bool:
    """Tell whether *heading* says of what its page is about what *kind* asks: "How to apply"."""
    return (
        bool(heading)
        and f"proper.{kind}" in alternatives()
        and bool(_alone(f"proper.{kind}").fullmatch(heading))
    )


def figures(cue: str, text: str) -> list[str]:
    """Return what stands around the first numbers, dates or times of *text*, a piece for each."""
    pattern = _pattern(cue)
    if pattern is None:
        return []
    found = itertools.islice(pattern.finditer(text), _FIGURES)
    return [text[max(one.start() - _NEAR, 0) : one.end() + _NEAR] for one in found]


def labels(kind: str, text: str) -> bool:
    """Tell whether *text* begins with, or as a heading is, the word that *kind* asks: "Where:"."""
    pattern = _label(kind)
    return pattern is not None and pattern.match(text) is not None


def without_hours(query: str) -> str:
    """Return *query* without its weekdays and the words that ask for hours."""
    return _pattern_of("hourly").sub(" ", query)


def leans(text: str) -> bool:
    """Tell whether *text* is only understood after what stands before it."""
    return _starts("leaning").match(text[:_OPENING]) is not None


def announces(text: str) -> bool:
    """Tell whether *text* leads to what follows it: "There are two ways to pay."."""
    return (
        text.endswith((":", "：")) or _pattern_of("announcing").search(text[-_POINTER:]) is not None
    )


def counts_ways(text: str) -> bool:
    """Tell whether *text* says that there are several ways: "There are two ways to pay:"."""
    return _pattern_of("ways").search(text) is not None


def shows(text: str) -> bool:
    """Tell whether *text* is about code that is to be seen: "The following command …"."""
    return _pattern_of("showing").search(text) is not None


def tells_consequence(text: str) -> bool:
    """Tell whether *text*, a question or a heading, is about what comes of something."""
    return _pattern_of("consequence").search(text) is not None


def occasion(text: str) -> str:
    """Return on what occasion *text* says that something else is so, "" where it names none.

    "After you pay, the desk prints a ticket" does not tell how to "pay".
    """
    found = _starts("occasion").match(text)
    return next(filter(None, found.groups()), "") if found else ""


def is_hollow(text: str) -> bool:
    """Tell whether *text*, a sentence, only opens an answer: "It depends."."""
    return _alone("hollow").fullmatch(text) is not None


def is_unwritten(text: str) -> bool:
    """Tell whether *text*, a sentence, stands for what nobody has written yet: "To be added."."""
    return _alone("unwritten").fullmatch(text) is not None


def goes_on(text: str) -> bool:
    """Tell whether *text* breaks off in a sentence, which ends in what follows: "by running"."""
    return text[-1:].isalpha() or text.endswith(",")


_DRAWN: Final = re.compile("[\u2500-\u259f]")
_CORNER: Final = re.compile("[┐┘╗╝╮╯]")
"""What a box has and a tree of folders, which is content, has not."""
_DRAWING: Final = 0.15
"""A text with corners of which more than this share are lines is a drawing, and not a sentence that
names such a character."""


def is_furniture(text: str) -> bool:
    """Tell whether *text* only points elsewhere, or is a drawing.

    A link alone points elsewhere, "See also", "Related articles"; a drawing is made of the
    characters for lines and boxes.
    """
    if _CORNER.search(text) and len(_DRAWN.findall(text)) > _DRAWING * len("".join(text.split())):
        return True
    if len(text) <= _POINTER and (_alone("pointing").fullmatch(text) or is_caption(text)):
        return True
    return len(text) <= _POINTER and ("](" in text or "://" in text) and bool(_LINK.fullmatch(text))


def is_line_of_contents(text: str) -> bool:
    """Tell whether *text* is the numbered heading of a section: "8.2 Setting up an account"."""
    return _SECTION.fullmatch(text) is not None


_SECTION: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,4}\.?\s+[^\W\d_a-z][^.!?。！？:]*\W?")


def is_caption(text: str) -> bool:
    """Tell whether *text* is the numbered caption of a picture: "Figure 5.1. A pier"."""
    return _alone("caption").fullmatch(text) is not None


def after_number(text: str) -> str:
    """Return what the caption of a table says behind its number, "" where *text* is none."""
    found = _TABLE.match(text)
    return text[found.end() :] if found and text[-1:].isalnum() else ""


_TABLE: Final = re.compile(
    r"(?:table|tabelle|tab\.|tableau|tabla|tabela|tabella|example|beispiel|exemple|ejemplo)\s*\d{1,3}(?:[.-]\d{1,3})*\s*[.:–—-]\s+(?=\S)",
    re.IGNORECASE,
)


def is_code(text: str) -> bool:
    """Tell whether *text*, a line that is taken for words, is code."""
    return not text.endswith((".", "?", "。")) and _CODE.search(text) is not None


def lists_several(text: str) -> bool:
    """Tell whether a sentence of *text* `enumerates`."""
    return any(map(enumerates, _SENTENCE_ENDS.split(text)))


def enumerates(text: str) -> bool:
    """Tell whether *text*, a sentence, lists three things or more: "ropes, fenders, and maps"."""
    if text.count("、") > 1:
        return True
    first, *others = _COMMA.split(text[:_FORM])
    if len(others) == 1:
        return _PAIR.fullmatch(others[0]) is not None and first.count(" ") > 0
    short = [one.count(" ") < _THING for one in others]
    joined = [_JOINED.match(one) is not None for one in others]
    return any(
        one and (joined[at + 1] or short[at : at + _MANY] == [True] * _MANY)
        for at, one in enumerate(short[:-1])
    )


_COMMA: Final = re.compile(r",\s+")
_PAIR: Final = re.compile(r"\S+ (?:and|or|y|e|et|ou|o|und|oder|en|of) \S+\W*")
_JOINED: Final = re.compile(r"(?:\S+ ){0,4}(?:and|or|y|e|et|ou|o|und|oder|en|of) ")
_THING: Final = 4
"""Words of the longest thing that a sentence lists."""
_MANY: Final = 4
"""Short pieces between commas that are a list without an "and" as well."""
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def is_about_heading(text: str) -> bool:
    """Tell whether *text* is about what the heading above names: "This command opens …"."""
    return _starts("referring").match(text) is not None


def elides(text: str) -> bool:
    """Tell whether *text* says what something does, and not what: "Returns the name of …"."""
    return _elided().match(text) is not None


def command_told(text: str) -> str:
    """Return the command of which *text* says what it does, "": "The Save command writes …"."""
    found = _starts("commanding").match(text)
    return found[1] if found else ""


@functools.cache
def _label(kind: str) -> re.Pattern[str] | None:
    found = alternatives().get(f"label.{kind}")
    return (
        re.compile(rf"\W{{0,4}}(?:{found})\W{{0,3}}(?:[:：–]|$)", re.IGNORECASE) if found else None
    )


@functools.cache
def _measures() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name.removeprefix(_ASKS), re.compile(pattern, re.IGNORECASE))
        for name, pattern in alternatives().items()
        if name.startswith(_ASKS)
    )


@functools.cache
def _pattern(name: str) -> re.Pattern[str] | None:
    found = alternatives().get(name)
    return re.compile(found, re.IGNORECASE | re.MULTILINE) if found else None


@functools.cache
def _pattern_of(name: str) -> re.Pattern[str]:
    return re.compile(alternatives()[name], re.IGNORECASE)


@functools.cache
def _elided() -> re.Pattern[str]:
    return re.compile(alternatives()["elided"])


@functools.cache
def _starts(name: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{alternatives()[name]})", re.IGNORECASE)


@functools.cache
def _alone(name: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{alternatives()[name]})\W*", re.IGNORECASE)


@functools.cache
def alternatives() -> dict[str, str]:
    """Return the alternatives of each name of ``cues.txt``, those of others put in."""
    file = importlib.resources.files("service.generation.extraction").joinpath("cues.txt")
    found = dict[str, str]()
    for line in file.read_text("utf-8").splitlines():
        name, pattern = line.split(" ", 1)
        pattern = re.sub(r"<(\w+)>", lambda other: found[other[1]], pattern)
        found[name] = f"{found[name]}|{pattern}" if name in found else pattern
    return found
