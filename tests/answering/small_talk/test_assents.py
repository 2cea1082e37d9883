"""Which queries only take up what was said before."""

from __future__ import annotations

import time

import pytest

from service.answering.small_talk import assents


@pytest.mark.parametrize(
    "query",
    "yes|Yes, please!|yeah that would help|Go on.|tell me more|that's correct|Sounds good to me."
    "|¡Sí!|oui, bien sûr|Ja, genau|certo|sim|是的|はい".split("|"),
)
def test_a_yes_takes_up_what_was_said(query: str) -> None:
    assert assents.assents(query)
    assert not assents.denies(query)


@pytest.mark.parametrize("query", ["no, I am not", "Nope", "not really, can you help?", "不是"])
def test_a_no_is_told_apart(query: str) -> None:
    assert assents.denies(query)
    assert not assents.assents(query)


@pytest.mark.parametrize(
    "query", ["ok", "lol", "thanks", "yesterday's fees", "note the fee", "", "si" * 40]
)
def test_other_queries_do_not(query: str) -> None:
    assert not assents.assents(query)
    assert not assents.denies(query)


def test_what_is_long_or_odd_takes_no_time() -> None:
    began = time.thread_time()
    for query in ("!" * 4_000 + "yes", "yes" * 2_000, "?" * 60):
        assert not assents.assents(query)
    assert time.thread_time() - began < 1
