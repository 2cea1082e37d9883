"""Tests of what a part of a question is, made whole by the one before it."""

from __future__ import annotations

import time

import pytest

from service.language.queries import whole_questions


@pytest.mark.parametrize(
    ("last", "query", "asks"),
    [
        ("How do I import plans from Acme?", "and from Blume?", "import plans from Blume?"),
        ("How can I paint a wall?", "and without a brush?", "paint a wall without a brush?"),
        ("How do I add a guest?", "what about a guest list?", "add a guest list?"),
        ("How do I turn a photo in the album?", "and flip it?", "flip a photo?"),
        ("How do I add a guest?", "and how do I delete them again?", "delete a guest again?"),
        ("How do I set up a lock?", "and an electric one?", "set up an electric lock?"),
        ("How do I add a lock?", "how do I set one up?", "set a lock up?"),
        ("How do I add a new lock?", "how do I remove the old one?", "remove the old lock?"),
        ("How do I hold a lift so it stays open?", "how do I free it?", "free a lift?"),
        ("How do I lock or open a gate?", "and how do I paint it?", "paint a gate?"),
        ("How do I start a lift on a Sunday?", "how do I stop it?", "stop a lift on a Sunday?"),
        ("What is a day pass?", "and how do I return it?", "return a day pass?"),
        ("What does a day pass cost?", "and a week pass?", "What does a week pass cost?"),
        ("Where does Acme keep my bills?", "and the letters?", "Acme keep the letters?"),
        ("How do I return a pass?", "how long does that take?", "does it take to return a pass?"),
    ],
)
def test_a_part_of_a_question_is_made_whole(last: str, query: str, asks: str) -> None:
    assert whole_questions.after_turns(query, [last]).text.endswith(asks)


@pytest.mark.parametrize(
    ("last", "query"),
    [
        ("How do I add a guest?", "How do I pay for the room?"),
        ("How do I add a guest?", "what if the guest is a child?"),
        ("How do I add a guest?", "and who won the last election?"),
        ("How do I add a guest?", "which rooms?"),
        ("How do I add a guest?", "can I have more than one?"),
        ("How do I add a guest?", "how do I choose the other one?"),
        ("How do I add a guest?", "what about paying?"),
        ("Is it open?", "and on Sundays?"),
        ("What are rooms good for?", "how do I book them?"),
        ("What is the difference between a pass and a card?", "how do I get one?"),
        ("¿Cómo añado un cliente?", "¿y una lista?"),
        ("How do I add a guest?", "yes"),
        ("How do I add a guest?", "Yes, an old one"),
        ("What is a lapse of a pass in the city?", "yes?"),
        ("Can I ask for a week off?", "not yet"),
        ("Do I need the card?", "a blue one"),
        ("", "and from Blume?"),
    ],
)
def test_what_fits_no_frame_is_left_as_it_is(last: str, query: str) -> None:
    assert not whole_questions.after_turns(query, [last]).was_part


def test_what_is_exchanged_twice_keeps_the_first_frame() -> None:
    past = ["How do I resize a picture?", "and for the web?"]
    assert whole_questions.after_turns("and a film?", past).text == "How do I resize a film?"


def test_a_pronoun_stands_for_what_was_exchanged() -> None:
    past = ["How do I add a guest?", "and a list?"]
    assert whole_questions.after_turns("how do I print it?", past).text == "how do I print a list?"


def test_the_next_question_of_a_query_is_made_whole() -> None:
    questions = whole_questions.questions("What is a lock and how do I open it?", "en")
    assert [one.text for one in questions] == ["What is a lock", "how do I open a lock?"]
    assert [one.asked for one in questions] == ["What is a lock", "how do I open it?"]


def test_long_questions_are_read_at_once() -> None:
    began = time.thread_time()
    whole_questions.after_turns("and the " * 15, ["How do I " + "open the " * 15])
    whole_questions.after_turns("and it " * 2_000, ["How do I add a guest?"] * 100)
    assert time.thread_time() - began < 1
