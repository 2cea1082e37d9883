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

from service.language import function_words

_LINK: Final = re.compile(
    r"\W*(?:(?:\d{1,3}[.)]|[-*+•])\s*)?(?:!?\[[^\]]*\]\([^)]*\)\W*|<?https?://\S+>?\W*)+"
)
_CODE: Final = re.compile(
    r"[{}]|=>|;\s*$|^\s*</?\w+[ >]|^\s*[\w.\"'\[\]]+\s*[=:]\s*\S.*[,({\[]$|\w\([^)]*\)?\s*[:,]?$"
    r"|^\s*(?:import|from|def|class|async|await|return|const|let|var|print|for|with)\b.*[:;,)(]$"
)
_NAME: Final = re.compile(r"(?<=[a-z0-9,\"“'’(&] )[\"“'(]?([A-Z][\w’'-]+)")
_PARENTHESES: Final = re.compile(
    r"\([^()]{1,80}\)|, (?:also|or|often|sometimes|which)\b[^,.;]{1,80},"
)
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
_TERM: Final = 8
"""Words of the longest term."""


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


def is_proper(kind: str, heading: str) -> bool:
    """Tell whether *heading* says of what its page is about what *kind* asks: "How to apply"."""
    return (
        bool(heading)
        and f"proper.{kind}" in _alternatives()
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
    name = f"label.{kind}"
    frame = r"\W{0,4}@\W{0,3}(?:[:：–]|$)"
    return name in _alternatives() and _framed(name, frame=frame).match(text) is not None


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


def defines(topic: str, text: str, language: str = "en") -> bool:
    """Tell whether *text*, a sentence, says what *topic* is: "A *topic* is …"."""
    term = _term(topic.casefold(), language[:2])
    if term is None:
        return False
    opening = text[:_OPENING].casefold()
    read = {opening, _PARENTHESES.sub(" ", opening)}
    return any(_says(term, one, language[:2]) for one in read) or _is_explained(term, text)


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
    return (
        told
        and len(verb[0].split()) <= _NEAR_VERB
        and bool(_framed("outright", frame=r"\b@\Z", cased=True).search(verb[0]))
    )


_A_KIND: Final = re.compile(
    r"\W+(?:\w+ly\W+)?(?:an?|the|one|any|another|what|how|when|where|that|those)\b"
)
"""Follows "is" where it says of what kind something is: "a boat" does, "blue" does not."""
_NEAR_VERB: Final = 3
"""Words from a term to the end of the verb that is said of it: "*Topic* or loss is"."""


def is_about_heading(text: str) -> bool:
    """Tell whether *text* is about what the heading above names: "This command opens …"."""
    return _starts("referring").match(text) is not None


def elides(text: str) -> bool:
    """Tell whether *text* says what something does, and not what: "Returns the name of …"."""
    return _framed("elided", frame="@", cased=True).match(text) is not None


def command_told(text: str) -> str:
    """Return the command of which *text* says what it does, "": "The Save command writes …"."""
    found = _starts("commanding").match(text)
    return found[1] if found else ""


def sets(topic: str, text: str) -> bool:
    """Tell whether *text* leads to what follows from *topic*: "When the lock is on:"."""
    if not text.endswith((":", "：")) or not _starts("setting").match(text):
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
    return _CALLED.search(opening, 0, found.start()) is not None


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
    cues = _alternatives()
    verbs = cues.get(f"verbs.{language}", cues["verbs.en"])
    gap = r"[^\w,;:.]"
    beside = rf"(?!(?:{cues['beside']})\b)"
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
def _measures() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name.removeprefix(_ASKS), re.compile(pattern, re.IGNORECASE))
        for name, pattern in _alternatives().items()
        if name.startswith(_ASKS)
    )


@functools.cache
def _pattern(name: str) -> re.Pattern[str] | None:
    found = _alternatives().get(name)
    return re.compile(found, re.IGNORECASE | re.MULTILINE) if found else None


@functools.cache
def _framed(name: str, *, frame: str, cased: bool = False) -> re.Pattern[str]:
    """Return the alternatives of *name* within *frame*, whose "@" they stand for."""
    return re.compile(
        frame.replace("@", f"(?:{_alternatives()[name]})"), 0 if cased else re.IGNORECASE
    )


_pattern_of = functools.partial(_framed, frame="@")
_starts = functools.partial(_framed, frame=r"\W*@")
_alone = functools.partial(_framed, frame=r"\W*@\W*")


@functools.cache
def _alternatives() -> dict[str, str]:
    """Return the alternatives of each name, those of others put in."""
    file = importlib.resources.files("service.generation.extraction").joinpath("cues.txt")
    found = dict[str, str]()
    for line in file.read_text("utf-8").splitlines():
        name, pattern = line.split(" ", 1)
        pattern = re.sub(r"<(\w+)>", lambda other: found[other[1]], pattern)
        found[name] = f"{found[name]}|{pattern}" if name in found else pattern
    return found
