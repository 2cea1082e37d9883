"""Recalls the earlier turns of a session, as the understanding of the next query needs them."""

from __future__ import annotations

import collections
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
_DOCUMENTS: Final = 3
"""Documents of an answer that are remembered: what follows is hardly about a later one."""

_UNANSWERED: Final = frozenset(
    (
        answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,
        answers.AnswerSkippedReason.OUT_OF_DOMAIN_QUERY_IGNORED,
        answers.AnswerSkippedReason.LOW_GROUNDED_ANSWER,
        answers.AnswerSkippedReason.UNHELPFUL_ANSWER,
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
        past = (
            as_turn(turn.query.text or "" if turn.query else "", one)
            for turn, one in zip(turns, ended, strict=True)
            if one is not None
        )
        return tuple(turn for turn in past if turn is not None)

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
            if before.user_input and summary and told is not None:
                past.append(PastTurn(before.user_input.input, told, _documents_in(summary)))
        return tuple(past)


def _undamaged(type_: type[T], name: str, rows: Sequence[bytes]) -> list[T | None]:
    """Return what *rows* of *name* say, each in its place: a reply belongs to what precedes it."""
    return [json_codec.undamaged(name, partial(json_codec.load, type_, row)) for row in rows]


def as_turn(query: str, answer: answers.Answer) -> PastTurn | None:
    """Return the turn of *query*, which *answer* ended; None where that is no context.

    The wording of a refusal is no answer: nobody asks on about it.
    """
    told = _told(answer)
    return None if told is None else PastTurn(query, told, _documents(answer) if told else ())


def _told(answer: answers.Answer) -> str | None:
    """Return what *answer* told, "" where the documents told nothing, None for no context."""
    if answer.answer_skipped_reasons:
        return "" if _UNANSWERED.issuperset(answer.answer_skipped_reasons) else None
    return None if answer.state is answers.State.FAILED else answer.answer_text or None


def _documents(answer: answers.Answer) -> tuple[str, ...]:
    """Return the documents that *answer* cites, by how often; the first one where it cites none."""
    cited = collections.Counter(
        source.reference_id for citation in answer.citations for source in citation.sources
    )
    by_number = {str(at): one for at, one in enumerate(answer.references)}
    chosen = [by_number[at] for at, _ in cited.most_common() if at in by_number]
    found = [document_of(one) for one in chosen or answer.references[:1]]
    return tuple(dict.fromkeys(name for name in found if name))[:_DOCUMENTS]


def document_of(reference: answers.Reference) -> str:
    """Return the name of the document of *reference*, "" where it is from none that is kept."""
    if reference.chunk_info is not None:
        metadata = reference.chunk_info.document_metadata
        return metadata.document if metadata else ""
    info = reference.unstructured_document_info or reference.structured_document_info
    return info.document if info else ""


def _documents_in(summary: conversations.summaries.Summary) -> tuple[str, ...]:
    """Return the document that the *summary* of a conversation's reply first refers to."""
    whole = summary.summary_with_metadata
    return tuple(one.document for one in whole.references[:1] if one.document) if whole else ()


def _told_in(summary: conversations.summaries.Summary) -> str | None:
    """Return the same of the *summary* of a conversation's reply."""
    if summary.summary_skipped_reasons:
        return "" if _UNSUMMARISED.issuperset(summary.summary_skipped_reasons) else None
    # An answer that failed without a word has no skipped reason.
    return None if summary.summary_text == FALLBACK else _without_markers(summary)


def _without_markers(summary: conversations.summaries.Summary) -> str:
    whole = summary.summary_with_metadata
    return whole.summary if whole else summary.summary_text
