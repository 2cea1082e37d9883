"""What is answered to somebody in distress."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import pytest

from service.answering.pipeline import consoling
from service.portal.portal import Contact, Portal
from sessions.resources import answers
from streaming.log.events import (
    AnswerEvent,
    Grounded,
    RelatedFound,
    Skipped,
    StepChanged,
    TextAppended,
)
from tests.answering.doubles import hit
from tests.answering.pipeline.test_replying import reply

pytestmark = pytest.mark.anyio
ASKED = "I don't want to live anymore, who can I call"
DANGER = "If you are in danger, call your local emergency number now."
LINE = "The crisis line is open: call 555 0100."
FLAGS = {"answerGenerationSpec": {"ignoreAdversarialQuery": True}}


async def test_the_line_that_the_portal_names_is_told_with_its_source() -> None:
    answer = await reply(ASKED, hit(0, "Fees are due."), hit(1, LINE), fields=FLAGS)
    assert answer.answer_text.startswith("It is so.")  # whatever the generator writes
    assert answer.answer_text.endswith(DANGER)
    assert len(answer.references) == 1
    assert answer.answer_skipped_reasons == ()


async def test_without_a_line_the_reply_is_our_own_with_the_contact() -> None:
    portal = Portal(contact=Contact(phone="555 0100"))
    answer = await reply(ASKED, hit(0, "Fees are due."), portal=portal, fields=FLAGS)
    assert answer.answer_text.startswith("I am sorry that you are going through this.")
    assert answer.answer_text.endswith("You can reach a person here: 555 0100.")
    assert answer.references == answer.citations == answer.answer_skipped_reasons == ()


@pytest.mark.parametrize("asked", ["my husband hits me", "I want to kill myself, how do I do it"])
async def test_nobody_in_distress_is_refused(asked: str) -> None:
    answer = await reply(asked, fields=FLAGS)
    assert DANGER in answer.answer_text
    assert answer.answer_skipped_reasons == ()


async def test_who_is_hurt_is_answered_from_the_page_that_helps() -> None:
    answer = await reply("my husband hits me, can I leave my lease?", hit(0, "You can leave."))
    assert answer.answer_text.startswith("It is so.")
    assert answer.answer_text.endswith(DANGER)


async def test_the_line_is_told_where_nothing_else_helps() -> None:
    low = hit(1, LINE, relevance=0.0)
    answer = await reply("my husband hits me", low)
    assert answer.answer_text.startswith("It is so.")


async def consoled(written: str, *events: AnswerEvent) -> list[AnswerEvent]:
    async def told() -> AsyncGenerator[AnswerEvent]:
        for event in events:
            yield event

    found = consoling.consoled(
        told(), answers.Answer(answer_text=written), reply="Call us.", closing="Be safe."
    )
    return [event async for event in found]


REFUSED = Skipped((answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,), "No.")
PROOF = Grounded((), 1.0)
SO = TextAppended("So.")
STEP = StepChanged(0, answers.Step())


@pytest.mark.parametrize(
    ("written", "events", "expected"),
    [
        ("", [STEP, REFUSED, RelatedFound(("Why?",))], [STEP, TextAppended("Call us.")]),
        ("Call", [STEP, REFUSED], [STEP, TextAppended(" us.")]),
        ("", [TextAppended("Call us.")], [TextAppended("Call us.")]),
        ("", [SO, PROOF], [SO, TextAppended("\n\nBe safe."), PROOF]),
        ("So.", [STEP], [STEP, TextAppended("\n\nBe safe.")]),
        ("So.\n\nBe", [STEP], [TextAppended(" safe.")]),
        ("So.\n\nBe safe.", [STEP], []),
        ("", [STEP], [STEP]),
    ],
)  # fmt: skip
async def test_what_helps_is_told_once_and_before_the_proof(
    written: str, events: Sequence[AnswerEvent], expected: Sequence[AnswerEvent]
) -> None:
    assert await consoled(written, *events) == expected
