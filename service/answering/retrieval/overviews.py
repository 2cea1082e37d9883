"""Word a second search for a question about what the whole portal is about: "What is Acme?".

The name stands on nearly every page, so that it finds any of them and none: what answers is the
page that introduces the rest, and that is found by what such pages are called.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable
from typing import Final

from service.corpus.ranking.queries import question_keys
from service.generation.extraction import cues
from service.generation.extraction.queries import definitions
from service.language import detection, function_words, question_kinds, tags
from service.language.queries import subject_names
from service.language.question_kinds import QuestionKind, QuestionReading
from service.query_readings import QueryReading

_CALLED: Final = {
    "en": "introduction overview information what is how does work",
    "es": "introducción descripción general qué es",
    "fr": "introduction présentation qu'est-ce que",
    "de": "Einführung Überblick was ist",
    "pt": "introdução visão geral o que é",
    "it": "introduzione panoramica cos'è",
    "nl": "inleiding overzicht wat is",
    "zh": "简介 概述 介绍",
    "ja": "はじめに 概要 紹介",
    "ko": "소개 개요",
}
"""What pages are called that introduce a product, by language."""


def asks_what_is(query: str) -> bool:
    """Tell whether *query* asks what something is; what it names is not looked at yet."""
    return _reading(query).kind is QuestionKind.DEFINITION


def overview_query(query: str, reading: QueryReading, headings: Iterable[str]) -> str:
    """Return what finds the page that introduces the subject of *query*, which asks what that is.

    It is "" where the name is not everywhere, or where one of the *headings* that *query* has found
    asks just that.
    """
    if not subject_names.names_only_subject(query, reading):
        return ""
    if asks(headings, query):
        return ""
    pages_in = tags.base(reading.language) or _language(query)
    return f"{_reading(query).topic} {_CALLED.get(pages_in, _CALLED['en'])}"


def asks(headings: Iterable[str], query: str) -> bool:
    """Tell whether one of *headings* asks just what *query* does."""
    language = _language(query)
    asked = question_keys.of_query(query, language)
    return any(asked in question_keys.of_heading(one, language) for one in headings)


def in_full(query: str, texts: Iterable[str]) -> str:
    """Return *query*, which asks what something is, with the name that *texts* have for it in full.

    "What is Mailer?" becomes "What is Acme Mailer?"; it is "" where they have no longer name.
    """
    reading = _reading(query)
    topic = reading.topic
    if reading.kind is not QuestionKind.DEFINITION or topic.count(" ") > 1 or topic not in query:
        return ""
    named = re.compile(rf"((?:\b[A-Z][\w&-]{{0,30}} ){{1,3}})(?i:{re.escape(topic)})\b")
    known = function_words.of(_language(query))
    before = collections.Counter[str]()
    for text in texts:
        for found in named.finditer(text):
            words = [one for one in found[1].split() if one.casefold() not in known]
            before.update(" ".join(words[at:]) for at in range(len(words)))
    if not before or before.most_common(1)[0][1] < _OFTEN:
        return ""
    often = before.most_common(1)[0][1]
    longest = max((one for one, times in before.items() if times >= _MOSTLY * often), key=len)
    return query.replace(topic, f"{longest} {topic}", 1)


_OFTEN: Final = 3
"""Times that a longer name is told by what is found for a shorter one."""
_MOSTLY: Final = 0.7
"""Of the times that a longer name is told, a still longer one is told so many."""


def introduces(text: str, query: str) -> bool:
    """Tell whether a paragraph of *text* says what the subject of *query* is: "Acme is a …"."""
    topic, language = _reading(query).topic, _language(query)
    return any(
        definitions.defines(topic, one[:_OPENING], language)
        and cues.fit("WHAT", one[:_OPENING]) == 1.0
        for one in text.split("\n\n")
        if topic.casefold() in one[:_OPENING].casefold()
    )


def defines(text: str, query: str) -> bool:
    """Tell whether a paragraph of *text* begins with what *query* asks for: "A berth is a …"."""
    topic, language = _reading(query).topic, _language(query)
    return len(topic.split()) <= _TERM and any(
        definitions.defines_outright(topic, one[:_OPENING], language)
        and cues.fit("WHAT", one[:_OPENING]) == 1.0
        for one in text.split("\n\n")
    )


_TERM: Final = 4
"""Words of the longest term that is looked for in all pages, with its article."""
_OPENING: Final = 160
"""Characters in which a paragraph says what something is."""


def _language(query: str) -> str:
    return tags.base(detection.detect(query, "en"))


def _reading(query: str) -> QuestionReading:
    return question_kinds.read(query, _language(query))
