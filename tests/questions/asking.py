"""Ask labelled questions, conversations in their order, and judge the answers."""

from __future__ import annotations

import collections
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from service.corpus.documents.sample_import import GUIDE
from service.generation.generator import PastTurn
from sessions.resources import answers
from tests.questions import local_portals, verdicts
from tests.questions.labels import Question
from tests.questions.local_portals import LocalPortal
from tests.questions.verdicts import Judgement

DATA: Final = os.environ.get("COLLOQUY_EVALUATION", "")
OURS: Final = "guide"
"""The portal whose documents are part of the repository."""


class Asked(msgspec.Struct, frozen=True):
    """A question with its answer, and what that is worth."""

    portal: str
    question: Question
    answer: answers.Answer
    judgement: Judgement


def folder_of(portal: str) -> Path | None:
    """Return where the documents of *portal* are, None where they are not given."""
    if portal == OURS:
        return GUIDE
    folder = Path(DATA, "portals", portal)
    return folder if DATA and folder.is_dir() else None


def opened(portal: str) -> LocalPortal:
    """Return *portal*, imported."""
    folder = folder_of(portal)
    if folder is None:
        raise FileNotFoundError(f"COLLOQUY_EVALUATION names no folder with portals/{portal}")
    return LocalPortal(folder, nested=portal != OURS)


async def ask_all(
    name: str, portal: LocalPortal, questions: Sequence[Question], *, related: bool = True
) -> list[Asked]:
    """Ask *questions*; those of one chat after each other, with the answers that were given.

    No verdict depends on the *related* questions, which are there to be read.
    """
    chats = collections.defaultdict[str, list[PastTurn]](list)
    asked: list[Asked] = []
    for question in questions:
        past = chats[question.chat] if question.chat else []
        answer = await portal.ask(question.ask, past, related=related)
        if turn := local_portals.as_turn(question.ask, answer):
            past.append(turn)
        asked.append(Asked(name, question, answer, verdicts.judge(question, answer)))
    return asked


def with_chats(questions: Sequence[Question], wanted: Sequence[Question]) -> Iterator[Question]:
    """Yield those of *questions* that are *wanted*, and what comes before them in their chats."""
    last = {one.chat: at for at, one in enumerate(questions) if one.chat and one in wanted}
    for at, one in enumerate(questions):
        if one in wanted or at <= last.get(one.chat, -1):
            yield one
