"""The guide, which is the sample portal, answers what its visitors ask."""

from __future__ import annotations

import asyncio
from typing import Final

from tests.questions import __main__ as program
from tests.questions import asking, labels
from tests.questions.verdicts import Verdict

RIGHT: Final = 118
"""Questions that are answered or refused as they should be: a floor that only rises."""
WRONGLY_ANSWERED: Final = 2
"""Questions that the guide cannot answer and that are answered all the same: a ceiling."""


def test_most_questions_to_the_guide_are_answered_right() -> None:
    portal, questions = asking.opened(asking.OURS), labels.read(asking.OURS)
    asked = asyncio.run(asking.ask_all(asking.OURS, portal, questions, related=False))
    told = program.table(asked)
    assert sum(one.judgement.verdict.good for one in asked) >= RIGHT, told
    answered = sum(one.judgement.verdict is Verdict.WRONGLY_ANSWERED for one in asked)
    assert answered <= WRONGLY_ANSWERED, told
