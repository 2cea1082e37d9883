"""What a reply to an operator's question is worth."""

from __future__ import annotations

import pytest

from service.evaluation import tables, verdicts
from service.evaluation.question_lists import Question
from service.evaluation.rest_client import QueryReply
from service.evaluation.verdicts import Verdict
from tests.evaluation.replies import refused, said, source

PRICE = Question(ask="What is a ticket?", line=2, documents=("Fares", "b.md"), texts=("2 euros",))
FARES = source("a.md", title="Fares", uri="https://trams.example/info/fares/")
TIMES = source("t.md", title="Times")


@pytest.mark.parametrize(
    ("reply", "verdict", "why"),
    [
        (said("A ticket costs **2\u00a0Euros**.", FARES), Verdict.RIGHT, ""),
        (said("It costs 2 euros.", source("b.md"), TIMES), Verdict.RIGHT, ""),
        (said("It costs 3 euros.", FARES), Verdict.WRONG, "does not say “2 euros”"),
        (said("It costs 2 euros.", TIMES), Verdict.WRONG, "cites Times instead of Fares or b.md"),
        (
            said("It costs 2 euros.", source("a.md", title="Fares", cited=False)),
            Verdict.WRONG,
            "cites nothing",
        ),
        (refused("OUT_OF_DOMAIN"), Verdict.WRONGLY_REFUSED, "OUT_OF_DOMAIN"),
        (QueryReply(error="Redis is away"), Verdict.FAILED, "Redis is away"),
    ],
)
def test_an_answer_says_and_cites_what_is_expected(
    reply: QueryReply, verdict: Verdict, why: str
) -> None:
    judged = verdicts.judge(PRICE, reply)
    assert judged.verdict is verdict
    assert why in " ".join(judged.reasons)


@pytest.mark.parametrize(
    "name", ["fares", "A.MD", "https://trams.example/info/fares", "info/fares", "/fares/"]
)
def test_a_document_is_named_by_title_id_or_link(name: str) -> None:
    question = Question(ask="What?", line=2, documents=(name,))
    assert verdicts.judge(question, said("So.", FARES)).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("question", "reply", "verdict"),
    [
        (Question(ask="Moon?", line=2, refuse=True), refused(), Verdict.RIGHTLY_REFUSED),
        (Question(ask="Moon?", line=2, refuse=True), said("Far."), Verdict.WRONGLY_ANSWERED),
        (Question(ask="Moon?", line=2), said("Far."), Verdict.UNJUDGED),
    ],
)
def test_what_is_to_be_refused_is_judged_by_that_alone(
    question: Question, reply: QueryReply, verdict: Verdict
) -> None:
    assert verdicts.judge(question, reply).verdict is verdict


def test_the_tally_counts_by_kind() -> None:
    kinds = [Question(ask="Moon?", line=2, refuse=True, kind=kind) for kind in ("far", "near")]
    judged = [verdicts.judge(kinds[0], refused()), verdicts.judge(kinds[1], said("Far."))]
    head, far, near, both = (line.split() for line in tables.of_verdicts(judged))
    assert head == ["rightly", "refused", "wrongly", "answered", "good"]
    assert (far[:3], near[:3], both[:3]) == (
        ["far", "1", "·"],
        ["near", "·", "1"],
        ["all", "1", "1"],
    )
