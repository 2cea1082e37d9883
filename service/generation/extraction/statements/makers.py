"""Tell whether a text says who made something, whatever word it has for making."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from service.language import function_words

_ASKED: Final = re.compile(
    r"\b(?:who|whom|whose|which (?:company|team|people|person|group|organi[sz]ation))\b(?:(?!\b(?:"
    r"may|can|could|should|must|will|shall|allowed|able|to|for)\b).){0,30}?"
    r"\b(?:ma[dk]es?|wrote|written|writes?|creat(?:es?|ed|ors?)|builds?|built|develop(?:s|ed|ers?)?"
    r"|found(?:ed|ers?)|start(?:s|ed)|beg[au]n|maintain(?:s|ed|ers?)?|owns?|owned|owners?"
    r"|produc(?:es?|ed|ers?)|publish(?:es|ed|ers?)?|design(?:s|ed|ers?)?|invent(?:s|ed|ors?)?"
    r"|authors?|behind)\b(?! (?:for|to)\b)"
    r"|\b(?:qui (?:a (?:fait|créé|écrit|fondé|développé)|développe|est derrière)"
    r"|quién(?:es)? (?:hizo|hace|creó|escribió|fundó|desarrolla|desarrolló|está detrás)"
    r"|wer (?:entwickelt|macht|betreibt|steckt|schrieb|gründete|baute)"
    r"|wer hat .{1,60} (?:gemacht|entwickelt|geschrieben|gegründet|gebaut|erfunden))\b",
    re.IGNORECASE,
)
_SOMEBODY: Final = (
    r"[\"“]?(?:[Tt]he |[Aa]n? |Dr\. )?(?:(?P<name>[A-Z][\w'’-]+)|(?:[\w-]+ ){0,3}(?:team|group"
    r"|community|volunteers?|developers?|programmers?|company|foundation|university|organi[sz]ation)\b)"
)
_DONE: Final = (
    r"(?:ma[dk]e|produce|develope|writte|create|built|founde|starte|maintaine|publishe|designe"
    r"|invente|owne|programme|authore|launche|establishe)[dn]?"
)
_NAMED: Final = re.compile(
    rf"\b(?P<done>{_DONE})(?: and \w+)?(?: (?:in|since) \d{{4}}| \w+ly)? by {_SOMEBODY}"
    r"|\b[A-Z][\w'’-]+ [A-Z][\w'’-]+,? (?:(?:first|originally|then|who) )?(?:founded|created"
    r"|wrote|developed|invented|built|designed|started) "
    r"|\b(?:author|creator|founder|inventor|lead developer|maintainer)s?(?: of .{1,40}?)?"
    r"(?: (?:is|are|was|were)\b|:|,)? [A-Z][\w'’.-]+ [A-Z]"
    r"|\b(?:développée?|créée?|écrite?|fondée?|maintenue?)s? par (?:l[ae]s? |une? |l['’])?[A-Z]"
    r"|\b(?:desarrollad|cread|escrit|fundad|mantenid)[oa]s? por (?:el |la |los |una? )?[A-Z]"
    r"|\b(?:von|durch) (?:der |dem |den |einem |einer )?[A-Z][\w-]+(?: [A-Z][\w-]+)* "
    r"(?:entwickelt|geschrieben|gegründet|gebaut|hergestellt|erfunden|betreut)\b"
)
_TELLS: Final = re.compile(
    rf"\b(?:{_DONE}(?: \w+)? by|authors?|creators?|founders?|inventors?|maintainers?|developers?"
    r"|credits?|copyright|(?:was|were) (?:born|founded)|founded (?:in|on)"
    r"|par|von|durch|por|auteurs?|autor(?:es)?|autoren|fundador(?:es)?|fondateurs?|gründer)\b",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+(?=\W*[A-Z])|\n+")
_DENIED: Final = re.compile(r"\b(?:not|never|nor|neither|nicht|pas|no)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\w[\w-]{2,}")
_ITSELF: Final = frozenset(
    "this that your the program programme software application app product project service site "
    "website tool company organization organisation programm anwendung logiciel programa".split()
)
"""Words for what all documents are about, that these need not say."""


def asks_for_one(query: str) -> bool:
    """Tell whether *query* asks who made, wrote or founded something."""
    return _ASKED.search(query) is not None


def names_one(text: str, query: str) -> bool:
    """Tell whether *text* says by whom it was made what *query* `asks_for_one` of.

    "Acme is developed by a team of volunteers" says it of Acme, "Acme reads files written by
    others" does not.
    """
    words = {one.lower() for one in _NAME.findall(_ASKED.sub(" ", query))}
    asked = words - _ITSELF - function_words.of("en")
    return any(_names(sentence, asked) for sentence in _SENTENCES.split(text))


def name_somebody(texts: Sequence[str], query: str) -> bool:
    """Tell whether *texts* say who made what *query* asks, or of making, and have another name."""
    if any(names_one(text, query) for text in texts):
        return True
    words = {one.lower() for one in _WORD.findall(query)}
    names = (found[0].lower().split() for text in texts for found in _FULL_NAME.finditer(text))
    return any(map(_TELLS.search, texts)) and any(words.isdisjoint(name) for name in names)


_WORD: Final = re.compile(r"\w+")
_FULL_NAME: Final = re.compile(r"\b[A-Z][a-z’'-]+ (?:[A-Z]\. )?[A-Z][a-z’'-]+\b")


def _names(sentence: str, asked: Set[str]) -> bool:
    for found in _NAMED.finditer(sentence):
        name = found["name"] or ""
        before = sentence[: found.start()]
        named = {one.lower() for one in _NAME.findall(before if found["done"] else sentence)}
        if name.lower() in asked or _DENIED.search(before[-_NEAR:]):
            continue
        if not asked or asked & named:
            return True
    return False


_NEAR: Final = 30
"""Characters before "made by" in which a "not" denies it."""
