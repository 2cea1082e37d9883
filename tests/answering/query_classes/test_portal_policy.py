"""What an operator does not let be asked or said."""

from __future__ import annotations

import pytest

from service.answering.query_classes import classifiers
from service.answering.query_classes.portal_policy import PortalPolicy
from service.portal.portal import IgnoredQueries, Portal

LEGAL = IgnoredQueries(name="legal", examples=("legal advice", "Can I appeal a parking fine?"))
POLICY = PortalPolicy(
    Portal(banned_phrases=("Acme Corp", "café", "禁止词", "赌", "İzmir"), ignored_queries=(LEGAL,))
)


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("Is ACME  corp. cheaper?", True),
        ("acme-corp", True),
        ("the cafe", True),
        ("das ist 禁止词!", True),
        ("Ac\u200bme Cor\u00adp", True),
        ("Ａｃｍｅ corp", True),
        ("Acme has a corp", False),
        ("Acmecorp, cafes", False),
        ("在线赌博网站", True),
        ("from Izmir", True),
        ("İZMİR", True),
        ("禁止", False),
        ("", False),
    ],
)
def test_a_banned_phrase_is_met_as_whole_words_however_it_is_written(
    text: str, banned: bool
) -> None:
    assert POLICY.bans(text) is banned
    assert POLICY.allowed((text,)) == (() if banned else (text,))


@pytest.mark.parametrize(
    ("query", "ignored"),
    [
        ("Give me some LEGAL advice", True),
        ("How are appeals of parking fines done?", True),
        ("What is the fine for parking?", False),
        ("Who advises me?", False),
    ],
)
def test_a_query_with_the_telling_words_of_an_example_is_of_its_class(
    query: str, ignored: bool
) -> None:
    understood = POLICY.classified(query, classifiers.classify(query))
    assert understood.ignored is (LEGAL if ignored else None)
    assert not understood.banned


def test_a_portal_without_rules_says_nothing_of_queries() -> None:
    policy = PortalPolicy(Portal())
    understood = classifiers.classify("legal advice on Acme Corp")
    assert policy.classified("legal advice on Acme Corp", understood) is understood
    assert not policy.withholds
    assert not policy.bans("Acme Corp")
