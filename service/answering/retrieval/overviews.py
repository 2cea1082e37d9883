"""Word a second search for a question about what the whole portal is about: "What is Acme?".

The name stands on nearly every page, so that it finds any of them and none: what answers is the
page that introduces the rest, and that is found by what such pages are called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from service.corpus.ranking.queries import question_keys
from service.language import detection, question_kinds, tags
from service.language.queries import subject_names
from service.language.question_kinds import QuestionKind
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


def overview_query(query: str, reading: QueryReading, headings: Iterable[str]) -> str:
    """Return the query that finds what introduces the subject of *query*.

    It is "" where *query* does not ask what something is whose name is everywhere, or where one of
    the *headings* that it has found asks just that.
    """
    language = tags.base(detection.detect(query, "en"))
    kind, topic = question_kinds.read(query, language)
    if kind is not QuestionKind.DEFINITION or not subject_names.names_only_subject(query, reading):
        return ""
    asked = question_keys.of_query(query, language)
    if any(question_keys.of_heading(one, language) == asked for one in headings):
        return ""
    pages_in = tags.base(reading.language) or language
    return f"{topic} {_CALLED.get(pages_in, _CALLED['en'])}"
