"""Converse: one exchange of the older conversations, on the one pipeline."""

from __future__ import annotations

from service.answering.methods.outcomes import Outcomes
from service.answering.methods.submission import QuerySubmitter
from service.answering.requests.queries import PipelineRequest
from service.answering.views import replies
from service.corpus.document_access import Viewer
from sessions import names
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded
from sessions.resources import answers, conversations, summaries
from sessions.stores.store_set import AnswerStore, ConversationStore


class ConverseMethod:
    """The converse method, for callers that wait for the reply."""

    def __init__(
        self,
        submitter: QuerySubmitter,
        outcomes: Outcomes,
        conversations: ConversationStore,
        answers: AnswerStore,
    ) -> None:
        self._submitter = submitter
        self._outcomes = outcomes
        self._conversations = conversations
        self._answers = answers

    async def converse(
        self, name: str, request: conversations.ConverseConversationRequest, viewer: Viewer
    ) -> conversations.ConverseConversationResponse:
        """Say something in the conversation *name* for *viewer* and return the reply.

        Where the time ran out before there was any text, the reply says so.

        Raises:
            ServiceError: the request was refused, or the answer FAILED for that reason.
        """
        submitted = await self._submitter.submit_conversation(name, request, viewer)
        conversation = names.parent(submitted.answer)
        try:
            answer = await self._outcomes.wait_for(submitted.answer)
        except DeadlineExceeded:
            answer = await self._answers.get(submitted.answer)
            if answer.answer_text:
                raise
            return await self.view(conversation, answer, timed_out=True)
        return await self.view(conversation, answer)

    async def view(
        self, conversation: str, answer: answers.Answer, *, timed_out: bool = False
    ) -> conversations.ConverseConversationResponse:
        """Return the response that the ended *answer* of *conversation* leads to.

        Raises:
            NotFound: the conversation is gone.
            Unavailable: Redis is away.
        """
        stored = json_codec.load(PipelineRequest, await self._answers.request(answer.name))
        spec = stored.converse.summary_spec if stored.converse else None
        return conversations.ConverseConversationResponse(
            reply=replies.reply(answer, spec or summaries.SummarySpec(), timed_out=timed_out),
            conversation=await self._conversations.get(conversation),
            search_results=replies.search_results(
                answer, (stored.request.query and stored.request.query.text) or ""
            ),
            related_questions=answer.related_questions,
        )
