"""Tell which kind of small talk a query is, by what people say in each language.

A query is of a kind where it consists of the phrases of ``phrases.txt`` and of nothing else: a
greeting with a question behind it is a question. Per line of the file a kind, a language and its
phrases. ``Filler`` is what goes with any phrase ("please", "bot") and says nothing alone.
"""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
from collections.abc import Mapping
from typing import Final

import msgspec


class Kind(enum.StrEnum):
    """What a query wants that asks the documents nothing; the most telling one first.

    The values are the fields of `service.portal.Replies`.
    """

    DISTRESS = "distress"
    HUMAN = "human"
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


ASKING: Final = frozenset((Kind.DISTRESS, Kind.HUMAN, Kind.HELP))
"""Kinds that a page of the portal may answer better, such as "Contact us"."""
_FILLER: Final = "filler"
_LONGEST: Final = 16
"""Words of a query that can be nothing but small talk."""
_READ: Final = 200
"""Characters of one: what is longer is not even cut into words."""
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_PRIORITY: Final = {kind: at for at, kind in enumerate(Kind)}


def kind_of(query: str, spoken: str = "") -> SmallTalk | None:
    """Return what small talk *query* is, `None` where it says anything else.

    A phrase that several languages have is taken for the one *spoken* so far, if it is among them.
    """
    if len(query) > _READ:
        return None
    words = tuple(_WORD.findall(query.lower().replace("'", "").replace("’", "")))
    if not words:
        return None if query.strip() == "" else SmallTalk(Kind.UNCLEAR, spoken or "en")
    if len(words) > _LONGEST:
        return None
    found = [
        SmallTalk(kind, language)
        for language, phrases in _phrases().items()
        if (kind := _covered(words, phrases)) is not None
    ]
    if not found:
        return None
    return next((one for one in found if one.language == spoken), found[0])


def _covered(words: tuple[str, ...], phrases: Mapping[tuple[str, ...], str]) -> Kind | None:
    """Return the most telling kind of the *phrases* that *words* consist of."""
    kinds, at = set[Kind](), 0
    longest = max(map(len, phrases))
    while at < len(words):
        for end in range(min(len(words), at + longest), at, -1):
            if (kind := phrases.get(words[at:end])) is not None:
                if kind != _FILLER:
                    kinds.add(Kind(kind))
                at = end
                break
        else:
            return None
    return min(kinds, key=lambda kind: _PRIORITY[kind], default=None)


@functools.cache
def _phrases() -> dict[str, dict[tuple[str, ...], str]]:
    """Read ``phrases.txt``: for each language the kind of each phrase, by its words."""
    file = importlib.resources.files("service.answering.small_talk").joinpath("phrases.txt")
    found = dict[str, dict[tuple[str, ...], str]]()
    for line in file.read_text("utf-8").splitlines():
        if line[:1] in ("#", ""):
            continue
        kind, language, phrases = line.split(" ", 2)
        known = found.setdefault(language, {})
        for phrase in phrases.split("|"):
            known[tuple(_WORD.findall(phrase.lower().replace("'", "").replace("’", "")))] = kind
    return found
