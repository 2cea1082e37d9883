"""Recalls the earlier turns of a session, as the understanding of the next query needs them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Final

from service.answering.views.replies import FALLBACK
from service.generation.generator import PastTurn
from sessions.codec import json_codec
from sessions.codec.json_codec import T
from sessions.redis.connection import Redis, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from sessions.resources import answers, conversations, sessions

TURNS: Final = 10
"""Earlier turns that give context, as `guide/sessions.md` promises."""


_UNANSWERED: Final = frozenset(
    (
        answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,
        answers.AnswerSkippedReason.OUT_OF_DOMAIN_QUERY_IGNORED,
        answers.AnswerSkippedReason.LOW_GROUNDED_ANSWER,
    )
)
_UNSUMMARISED: Final = frozenset(
    (
        conversations.summaries.SummarySkippedReason.NO_RELEVANT_CONTENT,
        conversations.summaries.SummarySkippedReason.OUT_OF_DOMAIN_QUERY_IGNORED,
    )
)
"""Why an honest query got no answer."""


class History:
    """Reads the last turns of sessions and conversations."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def before(self, answer: str, session: str) -> Sequence[PastTurn]:
        """Return the turns of *session* before the one of *answer*, oldest first, 10 at most.

        One that the documents did not answer has no answer there: what was asked still tells what
        the next query is about. A turn that failed or was skipped otherwise is no context, nor is
        one that is damaged: it must not keep the session from being asked.

        Raises:
            Unavailable: Redis is away.
        """
        if "/conversations/" in session:
            return await self._messages(session)
        key = self._keys.turns(session)
        # From the end, since a session may have thousands. One more than wanted: the turn of
        # *answer* is the last of them, since it was added when the writing began.
        rows: list[bytes] = await self._redis.execute(key, "LRANGE", key, -TURNS - 1, -1)
        loaded = _undamaged(sessions.Turn, session, rows)
        turns = [turn for turn in loaded if turn and turn.answer and turn.answer != answer]
        turns = turns[-TURNS:]
        if not turns:
            return ()
        ended = await self._answers([turn.answer for turn in turns])
        return tuple(
            PastTurn(turn.query.text or "" if turn.query else "", said)
            for turn, one in zip(turns, ended, strict=True)
            if one is not None and (said := told(one)) is not None
        )

    async def _answers(self, names: Sequence[str]) -> list[answers.Answer | None]:
        commands = [
            (key, pack("HGET", key, "json")) for key in (self._keys.answer(n) for n in names)
        ]
        # `checked_replies`, since an outage must not pass for turns without a word: the runner
        # waits for Redis and asks again; an answer out of context would be stored for good.
        stored: list[bytes | None] = checked_replies(await self._redis.batch(commands))
        return [
            None
            if one is None
            else json_codec.undamaged(name, partial(json_codec.load, answers.Answer, one))
            for name, one in zip(names, stored, strict=True)
        ]

    async def _messages(self, conversation: str) -> Sequence[PastTurn]:
        key = self._keys.turns(conversation)
        # Two messages a turn, and the one that is answered now behind them, still without a reply.
        rows: list[bytes] = await self._redis.execute(key, "LRANGE", key, -2 * TURNS - 1, -1)
        messages = _undamaged(conversations.ConversationMessage, conversation, rows)
        past: list[PastTurn] = []
        for before, after in itertools.pairwise(messages):
            if before is None or after is None:
                continue
            summary = after.reply.summary if after.reply else None
            told = _told_in(summary) if summary else None
            if before.user_input and told is not None:
                past.append(PastTurn(before.user_input.input, told))
        return tuple(past)


def _undamaged(type_: type[T], name: str, rows: Sequence[bytes]) -> list[T | None]:
    """Return what *rows* of *name* say, each in its place: a reply belongs to what precedes it."""
    return [json_codec.undamaged(name, partial(json_codec.load, type_, row)) for row in rows]


def told(answer: answers.Answer) -> str | None:
    """Return what *answer* told, "" where the documents told nothing, None where it is no context.

    The wording of a refusal is no answer: nobody asks on about it.
    """
    if answer.answer_skipped_reasons:
        return "" if _UNANSWERED.issuperset(answer.answer_skipped_reasons) else None
    return None if answer.state is answers.State.FAILED else answer.answer_text or None


def _told_in(summary: conversations.summaries.Summary) -> str | None:
    """Return the same of the *summary* of a conversation's reply."""
    if summary.summary_skipped_reasons:
        return "" if _UNSUMMARISED.issuperset(summary.summary_skipped_reasons) else None
    # An answer that failed without a word has no skipped reason.
    return None if summary.summary_text == FALLBACK else _without_markers(summary)


def _without_markers(summary: conversations.summaries.Summary) -> str:
    whole = summary.summary_with_metadata
    return whole.summary if whole else summary.summary_text
