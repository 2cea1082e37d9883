"""Note which queries were answered, for completion to learn from."""

from __future__ import annotations

from service.answering.pipeline import history
from service.answering.requests.queries import PipelineRequest
from service.corpus.storage.query_history import QueryHistory
from sessions import names
from sessions.resources import answers


def note(asked: QueryHistory, request: PipelineRequest, answer: answers.Answer) -> None:
    """Note the query of *request* for the data stores that its *answer*, which has ended, is from.

    It neither waits nor fails. One that was not answered teaches nobody what to ask.
    """
    if answer.state is not answers.State.SUCCEEDED or answer.answer_skipped_reasons:
        return
    documents = (history.document_of(reference) for reference in answer.references)
    data_stores = dict.fromkeys(names.data_store_of(each) for each in documents if each)
    query = request.request.query
    text = (query and query.text) or ""
    owner = names.parent(answer.name) if answer.name else ""  # one without a session has no name
    user = request.request.user_pseudo_id
    asked.note(request.parent, tuple(data_stores), text, user, owner)
