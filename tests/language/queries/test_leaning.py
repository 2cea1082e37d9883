"""Tests of how a query leans on the turn before it."""

from __future__ import annotations

import time

import pytest

from service.language.queries import leaning
from service.language.queries.leaning import Leaning


@pytest.mark.parametrize(
    ("query", "last", "leans"),
    [
        ("and in Sweden?", "How much is it in the UK?", Leaning.ELLIPSIS),
        ("for how long?", "Can I borrow a bike?", Leaning.ELLIPSIS),
        ("which formats?", "How do I import files?", Leaning.ELLIPSIS),
        ("and the glasses?", "Who pays for an eye test?", Leaning.ELLIPSIS),
        ("what about guests?", "Can members park here?", Leaning.TURN),
        ("can my sister get one too?", "How do I get a card?", Leaning.REFERENCE),
        ("how do I undo that?", "How do I lock a row?", Leaning.REFERENCE),
        ("what if the letter never comes?", "Do you send a letter?", Leaning.CONDITION),
        ("but I have no key", "How do I open it?", Leaning.CONDITION),
        ("why not?", "Can I pay by cheque?", Leaning.CONTINUATION),
        ("and then?", "How do I renew?", Leaning.CONTINUATION),
        ("that doesn't work", "How do I reset it?", Leaning.CONTINUATION),
        ("what if it still fails?", "How do I reset it?", Leaning.CONTINUATION),
        ("which types are there?", "Can I get a parking permit?", Leaning.REFERENCE),
        ("what does the last step do?", "How do I renew?", Leaning.REFERENCE),
        ("who won the last election?", "How do I renew?", Leaning.ALONE),
        ("can I still use my password?", "How do I add a key?", Leaning.BESIDE),
        ("and what is the capital of France?", "How do I renew?", Leaning.BESIDE),
        ("How do I change my address?", "How do I renew?", Leaning.ALONE),
        ("Is there a limit?", "How do I upload?", Leaning.ALONE),
        ("y en Suecia?", "¿Cuánto cuesta en España?", Leaning.ELLIPSIS),
        ("¿y si la pierdo?", "¿Cómo pido la tarjeta?", Leaning.CONDITION),
        ("et pour les enfants ?", "Combien coûte la carte ?", Leaning.ELLIPSIS),
        ("puis-je en avoir plusieurs ?", "Comment demander une carte ?", Leaning.REFERENCE),
        ("und für Kinder?", "Was kostet der Ausweis?", Leaning.ELLIPSIS),
        ("und wenn ich ihn verliere?", "Was kostet der Ausweis?", Leaning.CONDITION),
        ("warum nicht?", "Kann ich bar bezahlen?", Leaning.CONTINUATION),
        ("那要多久？", "怎么申请？", Leaning.ELLIPSIS),
        ("为什么？", "可以退款吗？", Leaning.CONTINUATION),
    ],
)
def test_a_query_leans_by_what_it_leaves_out(query: str, last: str, leans: Leaning) -> None:
    assert leaning.after(query, last).leaning is leans


def test_what_only_goes_on_is_cut_off() -> None:
    assert leaning.read("And in Sweden?").asked == "in Sweden"


def test_a_long_query_says_itself_what_it_is_about() -> None:
    """Nor does it take long to find that out."""
    began = time.thread_time()
    assert leaning.read("and it " * 2_000).leaning is Leaning.ALONE
    assert leaning.read("and " * 70).leaning is not None
    assert time.thread_time() - began < 1


def test_a_language_without_patterns_leans_on_nothing() -> None:
    assert leaning.read("en dan?", "nl").leaning is Leaning.ALONE
