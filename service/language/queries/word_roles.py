"""Tell what the words of a query are there for: to name what it is about, or to tell of the asker.

A light reading of the query's form, without a model. A capital in the middle of a sentence makes a
name. The last word before a function word, a comma or the end is the head of its phrase, and what
goes before it describes it: "the *stupid* **form** for my **iPhone**". What stands outside the part
that asks, such as a greeting or a sentence before the question, is an aside.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from service.language import function_words, tags

_READ: Final = 600
"""Characters of a query that are looked at; who writes more tells a story."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*|[.,?!;:\n]")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’]s$", re.IGNORECASE)
"""No part of the word that is searched for: "a *carpenter*'s shop"."""
_ENDS: Final = frozenset(".?!;\n")
_ASKS: Final = (
    "how what where when why who which can could do does did is are should would will may must"
)
_CLAUSE: Final = re.compile(rf",\s+(?:and |but |so )?(?=(?:{_ASKS.replace(' ', '|')})\b)", re.I)
"""Where a question begins after what led to it: "I lost my phone, how do I sign in?"."""
_SETS_TERMS: Final = re.compile(
    r"\s*(?:if|when|for|on|in|with|using|after|before|as|once)\b", re.IGNORECASE
)
"""How a clause begins that is part of the question after it."""
_REQUESTS: Final = re.compile(
    r"(?<=[.!;\n])\s+(?=(?:(?:so|but|and|please|just) ){0,3}"
    r"(?:(?:i|we)(?: just| only| really)? (?:want|need|would like)|(?:i|we)['’]d like"
    r"|how (?:do|can|to)|(?:tell|show|help|give) me)\b(?:\W+\w+){3})",
    re.IGNORECASE,
)
"""Where a sentence begins that asks without a mark, behind what led to it."""
_INTRODUCES: Final = re.compile(
    r"^[^.?!]{0,12}\b\w+ here[,.!]"
    r"|(?:^|[.!?,] )(?:my name is|my name's|this is|i live in|i am from|i'm from) \w+(?: \w+)?[,.!]"
    r"|^\W*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks|thank you)"
    r"(?: (?!how\b|what\b|can\b|i\b)\w+){0,2}\s*[,.!]",
    re.IGNORECASE,
)
"""How people greet and introduce themselves."""
_NAMES: Final = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)+\b")
_SUBJECTS: Final = frozenset(
    "i you we they he she it to can could do does did should will would must may not cannot can't "
    "don't didn't won't doesn't or please".split()
)
"""Words that a verb follows: what has an object after it is no noun."""
_NO_CAPITALS: Final = frozenset({"de"})
"""Languages that write nouns with a capital."""
_SHOUTED: Final = 0.5

_COMMENTS: Final = re.compile(
    r",\s+(?=(?:this|that|it|they|i|we|you|he|she|my)(?:'\w+)?\s+"
    r"(?!(?:want|need|would like|have to)\b))",
    re.IGNORECASE,
)
"""Where a comment begins behind the question of a long message: "…, this is a disgrace"."""
_TO_THE_POINT: Final = 12
"""Words of a message that may be nothing but its question."""
_SAYS: Final = 3
"""Sentences without a question, from which on each may be what is meant."""


class Role(enum.Enum):
    """What a word is there for."""

    NAME = "name"
    HEAD = "head"
    """What a phrase is about."""
    OTHER = "other"
    ASIDE = "aside"
    """It is no part of what is asked."""


class WordRoles(NamedTuple):
    """The roles of the words of a query, in lower case, and the names of several words in it."""

    of: Mapping[str, Role]
    names: Sequence[frozenset[str]]


def read(query: str, language: str = "en") -> WordRoles:
    """Return the roles of those words of *query* that are no function words."""
    text = query[:_READ]
    asking = _asking(text)
    found = dict[str, Role]()
    for sentence in _sentences(text):
        for word, role in _roles(sentence, language).items():
            found.setdefault(word, role if asking is None else Role.ASIDE)
    if asking is not None:
        for sentence in _sentences(text[asking:]):
            found.update(_roles(sentence, language))
    names = [frozenset(match[0].lower().split()) for match in _NAMES.finditer(text)]
    return WordRoles(found, names)


def asides(query: str) -> frozenset[str]:
    """Return the words of a long message, in lower case, that stand outside what asks.

    All are, where it asks nothing: "No sound again. Third time this week. I hate this."
    """
    if len(query.split()) <= _TO_THE_POINT:
        return frozenset()
    text = query[:_READ]
    sentences = _sentences(text)
    asking = _asking(text)
    everything = {word.lower() for sentence in sentences for word in sentence}
    if asking is None:
        return frozenset(everything if len(sentences) >= _SAYS and "?" not in text else ())
    part = text[asking:]
    comment = _COMMENTS.search(part)
    asked = {w.lower() for s in _sentences(part[: comment.start()] if comment else part) for w in s}
    return frozenset(everything - asked)


def _asking(text: str) -> int | None:
    """Return where the part of *text* begins that asks, None where all of it does."""
    begins = [0]
    begins += [introduction.end() for introduction in _INTRODUCES.finditer(text)]
    question = text.rfind("?")
    if question > 0:
        begins += [mark.end() for mark in re.finditer(r"[.!;\n]\s+", text[:question])][-1:]
    else:
        begins += [request.end() for request in _REQUESTS.finditer(text)]
    last = max(begins)
    clause = [m for m in _CLAUSE.finditer(text, last) if not _SETS_TERMS.match(text, last)]
    if clause and len(re.findall(r"\w+", text[clause[0].end() :])) > 2:
        last = clause[0].end()
    # Where nothing is left to ask, the whole does.
    return last if last and re.search(r"\w{3}", text[last:]) else None


def _sentences(text: str) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for match in _TOKEN.finditer(text):
        if match[0] in _ENDS:
            sentences.append([])
        else:
            sentences[-1].append(_POSSESSIVE.sub("", match[0]))
    return [each for each in sentences if each]


def _roles(sentence: Sequence[str], language: str) -> dict[str, Role]:
    empty = function_words.of(language)
    words = [word for word in sentence if word[0].isalnum()]
    capitals = sum(word[0].isupper() for word in words[1:] if word != "I")
    shouted = len(words) > 2 and capitals > _SHOUTED * len(words)
    found = dict[str, Role]()
    for at, word in enumerate(sentence):
        low = word.lower()
        if not word[0].isalnum() or low in empty:
            continue
        before = sentence[at - 1].lower() if at else ""
        after = sentence[at + 1].lower() if at + 1 < len(sentence) else ""
        if _is_name(word, at, shouted=shouted, language=language):
            found[low] = Role.NAME
        elif after not in ("", ",") and (after not in empty or before in _SUBJECTS):
            found.setdefault(low, Role.OTHER)
        else:
            found.setdefault(low, Role.HEAD)
    return found


def _is_name(word: str, at: int, *, shouted: bool, language: str) -> bool:
    """Tell whether a word has a capital within, or one that its place does not ask for."""
    if word.removesuffix("s").isupper() or not word[0].isalpha():
        return False  # short forms are written so, names or not
    if word[1:] != word[1:].lower():
        return True
    allowed = tags.base(language) not in _NO_CAPITALS
    return allowed and word[0].isupper() and at > 0 and not shouted
