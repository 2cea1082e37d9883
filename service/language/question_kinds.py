"""Tell what kind of question a query is, and which of its words only ask.

What kind of text answers a query depends on its kind: steps answer "how do I", a sentence with a
number "how many". The words that ask ("what does … mean", "the difference between") name nothing
that an answer must be about. Who greets, apologises, swears or tells a story first asks the same:
that is cut off, and the clause that asks is read.

``question_kinds.txt`` holds the patterns, kept by hand: a line has a language, a name and a regular
expression. The name is a kind, and the first line that matches decides; what its named groups match
within is of the topic. ``trouble`` tells a statement that something fails, which asks what to do
where nothing else asks. ``filler`` is said anywhere and ``opening`` first without asking anything;
``shell`` stands around an indirect question ("do you know"); ``asks`` begins a question behind a
comma; ``spelt`` has a word and how it is often misspelt. What no line knows is OTHER.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from service.language import chinese, tags


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
    FACT = "fact"
    """Which one of several it is: a form, a plan, a colour."""
    OTHER = "other"


class QuestionReading(NamedTuple):
    """A query as it asks: its kind, and its words without those that only ask."""

    kind: QuestionKind
    topic: str


_MARKS: Final = " \t\r\n?？¿!！.。,"
_QUOTES: Final = "\"“”«»„「」『』'‘’ "
_READ: Final = 400
"""Characters of a query that are looked at: who tells a story asks early, or the words decide."""
_NAMES: Final = frozenset({QuestionKind.DEFINITION, QuestionKind.REASON, QuestionKind.OTHER})
"""Kinds of which a query is one of the meaning of an identifier, where it holds one."""
_CODE: Final = re.compile(
    r"\b(?=[A-Z0-9_-]*[A-Z])(?=[A-Z0-9_-]*[\d_])[A-Z0-9][A-Z0-9_-]{2,}\b"  # ZX77Q, SQLITE_BUSY
    r"|\b\d{1,4}-\d{3,}[A-Za-z]?\b"  # form 10-10068
    r"|\b\d{1,3}\.\d{1,3}\.\d{1,3}\b|#\d{2,}\b|\b0x[0-9a-fA-F]+\b|\b[a-z]+(?:_[a-z]+)+\b"
    r"|(?<![\w-])(?:--[A-Za-z][\w-]+|-[A-Za-z])(?![\w-])"  # --keep-x, -v
)
_NUMBERED: Final = re.compile(
    r"\b(?:error|code|status|fehler|fehlercode|código|codigo|erreur)\s+(?:code\s+)?(\d{3,5})\b"
    r"|\b(?:err|error|code|fehler|erreur)[:#]\s*(\d{3,5})\b"
    r"|\b(\d{3,5})\s+(?:errors?|status|fehler|erreur)\b|(?:错误|錯誤|代码|代碼)\s*(\d{3,5})",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"[\"“”«»„「『]([^\"“”«»„」』]{3,80})[\"“”«»」』]|(?<!\w)['‘]([^'’]{3,80})['’](?!\w)"
)


@functools.lru_cache(maxsize=512)
def read(query: str, language: str = "en") -> QuestionReading:
    """Return what kind of question *query* is; *language* is a BCP 47 tag."""
    base = tags.base(language)
    question = _read(chinese.simplified(query) if base == "zh" else query, base)
    if question.kind in _NAMES and (named := identifiers(query)):
        if question.kind is QuestionKind.DEFINITION and all(map(_is_word, named)):
            return question._replace(topic=question.topic.strip(_QUOTES))
        return question._replace(kind=QuestionKind.IDENTIFIER)
    return question


def _is_word(name: str) -> bool:
    """Tell whether *name* is a word as dictionaries have it, which was but quoted: "mooring"."""
    return name.isalpha() and not name.isupper()


def _read(query: str, language: str) -> QuestionReading:
    patterns = _patterns().get(language)
    if patterns is None:
        return QuestionReading(QuestionKind.OTHER, query)
    clauses = patterns.clauses(query[:_READ])
    # Who asks with a question mark asks that; what stands before and behind it is a story.
    asking = sorted(clauses, key=lambda clause: not clause.endswith(("?", "？")))
    for clause in asking:
        for kind, pattern in patterns.kinds:
            if found := pattern.search(clause):
                rest = [one for one in clauses if one is not clause] + [query[_READ:]]
                return QuestionReading(kind, _topic(query, clause, found, rest))
    # Where something is asked that no line knows, what failed before is the story of it.
    troubled = not asking[0].endswith(("?", "？")) and patterns.trouble.search(". ".join(clauses))
    troubled = troubled and not identifiers(query)
    return QuestionReading(QuestionKind.HOW_TO if troubled else QuestionKind.OTHER, query)


def _topic(query: str, clause: str, asking: re.Match[str], rest: Sequence[str]) -> str:
    """Return *query* without the words that ask, all of it where nothing would be left."""
    kept = filter(None, asking.groupdict().values())
    own = " ".join((clause[: asking.start()], *kept, clause[asking.end() :])).strip(_MARKS)
    topic = " ".join((*rest, own)).strip(_MARKS)
    return topic if any(map(str.isalnum, topic)) else query


def identifiers(query: str) -> tuple[str, ...]:
    """Return the codes, part numbers, versions and quoted strings that *query* holds."""
    sample = query[:_READ]
    found = [match[0] for match in _CODE.finditer(sample)]
    found += [match[match.lastindex or 0] for match in _NUMBERED.finditer(sample)]
    found += [match[match.lastindex or 0].strip() for match in _QUOTED.finditer(sample)]
    return tuple(dict.fromkeys(found))


class _Patterns(NamedTuple):
    """The patterns of a language."""

    filler: re.Pattern[str]
    opening: re.Pattern[str]
    shell: re.Pattern[str]
    cut: re.Pattern[str]
    """What stands between two clauses."""
    misspelt: re.Pattern[str]
    words: Sequence[str]
    """What is meant, for each group of *misspelt*."""
    kinds: Sequence[tuple[QuestionKind, re.Pattern[str]]]
    trouble: re.Pattern[str]

    def clauses(self, query: str) -> list[str]:
        """Return what *query* says, a sentence or an asking clause each, without what opens it."""
        query = self.misspelt.sub(lambda found: self.words[(found.lastindex or 1) - 1], query)
        query = self.filler.sub("", query)
        found = list[str]()
        for clause in self.cut.split(query):
            bare = self.shell.sub("", self.opening.sub("", clause, count=1), count=1)
            if any(map(str.isalnum, bare)):
                found.append(" ".join(bare.split()))
        return found or [query]


@functools.cache
def _patterns() -> dict[str, _Patterns]:
    file = importlib.resources.files("service.language").joinpath("question_kinds.txt")
    lines = dict[str, list[tuple[str, str]]]()
    for line in file.read_text("utf-8").splitlines():
        language, name, pattern = line.split(" ", 2)
        lines.setdefault(language, []).append((name, pattern))
    return {language: _compiled(own) for language, own in lines.items()}


def _compiled(lines: Sequence[tuple[str, str]]) -> _Patterns:
    one = dict(lines)
    spelt = [pattern.split(" ", 1) for name, pattern in lines if name == "spelt"]
    asks = rf"|,\s+(?={_WORD}(?:{one['asks']})\b)" if "asks" in one else ""
    opening = rf"\W*(?:(?:{one['opening']})(?!\w)\W*){{1,4}}" if "opening" in one else _NEVER
    return _Patterns(
        _regex(one.get("filler", _NEVER)),
        _regex(rf"\A{opening}"),
        _regex(rf"\A\W*(?:{one.get('shell', _NEVER)})"),
        _regex(rf"(?<=[.!?:;])\s+|(?<=[。？！；])|\n{asks}"),
        _regex(rf"\b(?:{'|'.join(rf'({forms})' for _, forms in spelt) or _NEVER})\b"),
        [word for word, _ in spelt],
        [(QuestionKind[name], _regex(text)) for name, text in lines if name.isupper()],
        _regex(one.get("trouble", _NEVER)),
    )


def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NEVER: Final = r"(?!)"
_WORD: Final = r"(?:(?:and|but|so|then|y|pero|et|mais|und|aber) )?"
