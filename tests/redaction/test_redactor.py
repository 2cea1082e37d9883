"""What comes in the place of personal data."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.redaction.redactor import KINDS, Redactor

EVERYTHING = Redactor(KINDS)
PIECES = (
    *("ann@example.org", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "+49 30 1234567"),
    *(
        " ",
        ", ",
        "\u200b",
        "\u00ad",
        "@",
        "+",
        "(",
        ".",
        "-",
        "/",
        "1",
        "0",
        "\uff11",
        "\u0664",
        "%40",
    ),
    *("phone ", "order ", "é", "日本", "[email]", "\n", "a"),
)


def test_each_kind_has_its_mark() -> None:
    text = "I am ann@example.org, +49 30 1234567, card 4111111111111111, NL91ABNA0417164300."
    assert EVERYTHING.redacted(text) == "I am [email], [phone], card [card], [iban]."


def test_only_what_was_chosen_is_masked() -> None:
    """A piece of an IBAN is no telephone number either."""
    text = "ann@example.org DE89 0370 4004 4405 3201 30 4111111111111111"
    assert Redactor(["phone"]).redacted(text) == text
    assert Redactor().redacted(text) == text
    assert Redactor(["card"]).redacted(text) == text.replace("4111111111111111", "[card]")


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("; ".join))
def test_what_was_masked_stays_as_it_is(text: str) -> None:
    """A retry has the same hash, and a message may be masked at two doors."""
    once = EVERYTHING.redacted(text)
    assert EVERYTHING.redacted(once) == once


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_redactor_reads_whatever_is_typed(text: str) -> None:
    """Without a mark nothing is lost, and nothing but what was found."""
    masked = EVERYTHING.redacted(text)
    assert Redactor().redacted(text) == text
    assert masked == text or "[" in masked


@pytest.mark.parametrize(
    "piece",
    [
        "@",
        "1",
        "a@",
        "a@b.",
        "a@b.co ",
        "1 ",
        "4111 ",
        "DE89 ",
        "+49 ",
        "01 ",
        "\uff20",
        "%40",
        "(",
        "a.",
    ],
)
def test_the_time_grows_with_the_length_alone(piece: str) -> None:
    """Twenty times the text must not take four hundred times as long."""
    short, long = ((piece * count)[:count] for count in (2_000, 40_000))
    assert _seconds(long) < 100 * max(_seconds(short), 1e-4)


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        began = time.thread_time()
        EVERYTHING.redacted(text)
        best = min(best, time.thread_time() - began)
    return best
