"""What the replies to labelled turns are worth."""

from __future__ import annotations

import pytest

from service.evaluation import tables, turn_metrics
from service.evaluation.labelled_data import Answerability, Gold, LabelledTurn
from service.evaluation.rest_client import QueryReply
from service.evaluation.turn_metrics import ScoredTurn
from tests.evaluation.replies import refused, said


def asked(
    reply: QueryReply,
    *found: str,
    chat: str = "c",
    number: int = 1,
    answerability: Answerability = "answerable",
) -> ScoredTurn:
    """Return a turn whose right documents are a and b, and whose answer is "At nine"."""
    turn = LabelledTurn(
        query="When?",
        conversation=chat,
        portal="town",
        set="talk",
        turn=number,
        answerability=answerability,
        gold=(Gold("a"), Gold("b")) if answerability == "answerable" else (),
        answer="At nine.",
    )
    return ScoredTurn(turn, reply, found)


def test_figures_are_means_over_the_turns_that_they_concern() -> None:
    figures = turn_metrics.figures(
        [
            asked(said("at nine"), "x", "a", "b"),
            asked(refused(), "b", "x", number=2),
            asked(refused(), "x", "y", "z", "v", "w", "a", chat="d", number=2),
            asked(said("Never."), chat="e", answerability="unanswerable"),
            asked(said("Which?"), chat="e", answerability="underspecified"),
        ]
    )
    assert {one.name: (round(one.interval.value, 3), one.count) for one in figures} == {
        "R@5": (0.5, 3),
        "R@5, follow-ups": (0.25, 2),
        "F1": (0.333, 3),
        "wrongly declined": (0.667, 3),
        "rightly declined": (0.0, 1),
    }
    assert any("R@5  " in line and "0.500" in line for line in tables.of_figures(figures))
    rows = list(tables.of_figures_in_markdown(figures))
    assert rows[2].startswith("| talk | R@5 | 0.500 |")


@pytest.mark.parametrize(
    ("said", "reference", "f1"),
    [
        ("The answer: nine!", "answer nine", 1.0),
        ("nine", "at ten", 0.0),
        ("", "", 0.0),
        ("at nine", "nine", 2 / 3),
    ],
)
def test_words_are_compared_as_squad_compares_them(said: str, reference: str, f1: float) -> None:
    assert turn_metrics.token_f1(said, reference) == pytest.approx(f1)


def test_the_worst_cases_are_of_every_kind() -> None:
    turns = [asked(refused(), "a") for _ in range(9)]
    turns += [
        asked(said("Never."), answerability="unanswerable"),
        asked(QueryReply(error="Redis is away")),
        asked(said("At ten."), "x"),
        asked(said("At nine."), "a"),
    ]
    told = [why for _, why in turn_metrics.worst(turns, 8)]
    assert told == [
        "Redis is away",
        "answered, and no document tells",
        *["declined, although the right document was found: NO_RELEVANT_CONTENT"] * 2,
        "answered without the right document",
    ]


def test_the_time_of_replies_is_told_by_median_and_tail() -> None:
    turns = [asked(QueryReply(text="At nine.", seconds=n / 100)) for n in range(1, 101)]
    assert turn_metrics.seconds(turns) == (pytest.approx(0.505), pytest.approx(0.96))
    assert turn_metrics.seconds([]) == (0.0, 0.0)
