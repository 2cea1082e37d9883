"""Tell which kind of small talk a query is, by what people say in each language.

A query is of a kind where it consists of the phrases of ``phrases.txt`` and of nothing else: a
greeting with a question behind it is a question. Per line of the file a kind, a language and its
phrases, or behind ``~`` a pattern of such. ``Filler`` is what goes with any phrase ("please",
"bot") and says nothing alone. Slips of the pen are read where no word is meant that exists.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
import string
from collections.abc import Iterator
from typing import Final

import msgspec

from service.language import ordinary_words
from service.language.queries import chat_spellings


class Kind(enum.StrEnum):
    """What a query wants that asks the documents nothing; the most telling one first.

    The values are the fields of `service.portal.portal.Replies`, but for REACH.
    """

    DISTRESS = "distress"
    HUMAN = "human"
    REACH = "reach"
    """How to reach whoever is behind the portal: the documents may say, and the contact does."""
    HELP = "help"
    ABILITIES = "abilities"
    IDENTITY = "identity"
    COMPLAINT = "complaint"
    GOODBYE = "goodbye"
    THANKS = "thanks"
    WELLBEING = "wellbeing"
    GREETING = "greeting"
    ACKNOWLEDGEMENT = "acknowledgement"
    SMALL_TALK = "small_talk"
    UNCLEAR = "unclear"


class SmallTalk(msgspec.Struct, frozen=True):
    """What kind of small talk it is, and in which language."""

    kind: Kind
    language: str


ASKING: Final = frozenset((Kind.DISTRESS, Kind.HUMAN, Kind.REACH, Kind.HELP))
"""Kinds that a page of the portal may answer better, such as "Contact us"."""
_FILLER: Final = "filler"
_SLIPS: Final = "en"
"""The language whose words we know well enough to read slips in."""
_LONGEST: Final = 16
"""Words of a query that can be nothing but small talk."""
_READ: Final = 200
"""Characters of one: what is longer is not even cut into words."""
_SIGNS: Final = {
    Kind.COMPLAINT: frozenset("👎😡😠🤬😤🖕💩🙄😒"),
    Kind.THANKS: frozenset("👍🙏❤💖🧡💚💙😊🙂😀😃☺👌🎉🥳👏💯😍🤗🥰😘"),
    Kind.GREETING: frozenset("👋"),
    Kind.ACKNOWLEDGEMENT: frozenset("😂🤣😅😆😄😁😉🆗✅"),
}
"""What is sent instead of words."""
_SHORTEST: Final = 4
"""Letters of a word in which a slip is read: in shorter ones it makes another word."""
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_PRIORITY: Final = {kind: at for at, kind in enumerate(Kind)}


def kind_of(query: str, spoken: str = "") -> SmallTalk | None:
    """Return what small talk *query* is, `None` where it says anything else.

    A phrase that several languages have is taken for the one *spoken* so far, if it is among them.
    """
    if len(query) > _READ:
        return None
    words = _words(query)
    if not words:
        return SmallTalk(_shown(query), spoken or "en") if query.strip() else None
    if len(words) > _LONGEST:
        return None
    found = [
        SmallTalk(kind, language)
        for language, phrases in _phrases().items()
        if (kind := phrases.kind_of(words)) is not None
    ]
    if not found:
        meant = _meant(_words(chat_spellings.written_out(query, _SLIPS)))
        kind = _phrases()[_SLIPS].kind_of(meant) if meant != words else None
        return SmallTalk(kind, _SLIPS) if kind else None
    return next((one for one in found if one.language == spoken), found[0])


def _shown(query: str) -> Kind:
    """Return what kind *query*, which has no word, is by its signs."""
    return next(
        (kind for kind, signs in _SIGNS.items() if not signs.isdisjoint(query)), Kind.UNCLEAR
    )


class _Phrases:
    """What people say in one language that asks nothing."""

    def __init__(self) -> None:
        self._kinds = dict[tuple[str, ...], str]()
        self._patterns = list[tuple[str, re.Pattern[str]]]()
        self._longest = 0

    def add(self, kind: str, phrases: str) -> None:
        """Add the *phrases* of a line."""
        if phrases[0] == "~":
            self._patterns.append((kind, re.compile(phrases[1:])))
            return
        for phrase in map(_words, phrases.split("|")):
            self._kinds[phrase] = kind
            self._longest = max(self._longest, len(phrase))

    def kind_of(self, words: tuple[str, ...]) -> Kind | None:
        """Return the most telling kind of the phrases that *words* consist of."""
        kinds, at = set[Kind](), 0
        while at < len(words):
            kind, end = self._next(words, at)
            if not kind:
                return None
            if kind != _FILLER:
                kinds.add(Kind(kind))
            at = end
        return min(kinds, key=lambda kind: _PRIORITY[kind], default=None)

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All words of the phrases."""
        return frozenset(word for phrase in self._kinds for word in phrase)

    def _next(self, words: tuple[str, ...], at: int) -> tuple[str, int]:
        """Return the kind of the longest phrase at the word *at*, "" without any, and its end."""
        known, end = "", at
        for last in range(min(len(words), at + self._longest), at, -1):
            if (kind := self._kinds.get(words[at:last])) is not None:
                known, end = kind, last
                break
        rest = " ".join(words[at:]) if self._patterns else ""
        for kind, pattern in self._patterns:
            if (match := pattern.match(rest)) and match[0].count(" ") + 1 > end - at:
                known, end = kind, at + match[0].count(" ") + 1
        return known, end


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower().replace("'", "").replace("’", "")))


def _meant(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return *words* with the slips of the pen undone that make words of our phrases."""
    known = _phrases()[_SLIPS].words
    return tuple(
        word
        if word in known or len(word) < _SHORTEST or ordinary_words.is_ordinary(word, _SLIPS)
        else next((other for other in _unslipped(word) if other in known), word)
        for word in words
    )


def _unslipped(word: str) -> Iterator[str]:
    """Yield what *word* may mean: letters change places, one is doubled, missing or too many."""
    yield re.sub(r"(.)\1+", r"\1", word)
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
        for letter in string.ascii_lowercase:
            yield word[: at + 1] + letter + word[at + 1 :]


@functools.cache
def _phrases() -> dict[str, _Phrases]:
    """Read ``phrases.txt``: the phrases of each language."""
    file = importlib.resources.files("service.answering.small_talk").joinpath("phrases.txt")
    found = dict[str, _Phrases]()
    for line in file.read_text("utf-8").splitlines():
        if line[:1] not in ("#", ""):
            kind, language, phrases = line.split(" ", 2)
            found.setdefault(language, _Phrases()).add(kind, phrases)
    return found
