"""What one query asks of the pipeline, in the form that is kept with its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from service.corpus import document_filters
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources import answer_query
from sessions.resources.answers import HarmCategory, QueryClassification
from sessions.resources.base import Resource
from sessions.resources.conversations import (
    ConversationContext,
    ConverseConversationRequest,
    TextInput,
)
from sessions.resources.search_requests import ConditionBoostSpec
from sessions.resources.summaries import SummarySpec

MAX_QUERY: Final = 10_000
"""Characters of a query (api.md 10)."""
MAX_USER: Final = 128
MAX_LABELS: Final = 64
MAX_GIVEN: Final = 200_000
MAX_BOOSTS: Final = 20
MAX_CONTEXT: Final = 100
"""Characters of all results that a request brings to be answered from: they are read at once."""
_VERSION: Final = re.compile(r"(?=.{1,200}\Z)[A-Za-z0-9][\w.@:-]*(?:/[A-Za-z0-9][\w.@:-]*)*", re.A)
"""What names a model: ``stable``, ``gemini-2.5-flash``, ``gemini-2.5-flash/answer_gen/v1``.

There is one model, and programs that were written for others name theirs: it answers them all.
"""


class PipelineRequest(Resource):
    """A query with all that another process needs to answer it.

    *parent* is the data store or engine asked. *converse* is set for a conversation: `request` is
    then its translation and the reply is made by the older document's rules.
    """

    parent: str
    request: answer_query.AnswerQueryRequest
    converse: ConverseConversationRequest | None = None


def check(request: answer_query.AnswerQueryRequest, parent: str, models: frozenset[str]) -> None:
    """Refuse what api.md 10 refuses, before anything is written.

    Raises:
        InvalidArgument: a field is out of its bounds; the first such field is named.
    """
    text = request.query.text if request.query else ""
    check_query(text or "", field="query.text")
    check_user(request.user_pseudo_id, field="userPseudoId")
    check_labels(request.user_labels)
    if request.asynchronous_mode and not request.session:
        raise InvalidArgument(
            "asynchronousMode: needs a session to find the answer in; set session to "
            f"{parent}/sessions/-",
            field="asynchronousMode",
        )
    _check_generation(request, models)
    _check_understanding(request)
    _check_safety(request)
    _check_given(request)


def check_query(text: str, *, field: str) -> None:
    """Refuse a query that says nothing or too much."""
    if not text.strip():
        raise InvalidArgument(f"{field}: say what to answer", field=field)
    _at_most(len(text), MAX_QUERY, field, "characters")


def check_context(query: TextInput | None) -> None:
    """Refuse names, among the documents that a user sees, that no document can have."""
    context = (query and query.context) or ConversationContext()
    _at_most(
        len(context.context_documents), MAX_CONTEXT, "query.context.contextDocuments", "documents"
    )
    for at, name in enumerate(context.context_documents):
        names.check_forbidden(name, field=f"query.context.contextDocuments[{at}]")
    names.check_forbidden(context.active_document, field="query.context.activeDocument")


def check_user(user: str, *, field: str) -> None:
    """Refuse a user pseudo id of more than 128 characters."""
    _at_most(len(user), MAX_USER, field, "characters")


def check_labels(labels: dict[str, str]) -> None:
    """Refuse more than 64 labels, or labels over their length (api.md 10)."""
    _at_most(len(labels), MAX_LABELS, "userLabels", "labels")
    for key, value in labels.items():
        proper = key[:1].isalpha() and all(c.isalnum() or c in "_-" for c in key)
        if not proper or key != key.lower() or not 1 <= len(key) <= 63 or len(value) > 63:
            raise InvalidArgument(
                "userLabels: keys are 1 to 63 lower-case letters, digits, '_', '-', the first a "
                "letter; values have at most 63 characters",
                field="userLabels",
            )


def check_filter(expression: str, *, field: str) -> None:
    """Refuse a document filter that cannot be read (api.md 5.5)."""
    if expression:
        document_filters.parse(expression, field=field)


def check_boosts(conditions: Sequence[ConditionBoostSpec], *, field: str) -> None:
    """Refuse too many boosts, boosts outside -1..1 or with a condition that cannot be read."""
    _at_most(len(conditions), MAX_BOOSTS, f"{field}.conditionBoostSpecs", "conditions")
    for index, spec in enumerate(conditions):
        where = f"{field}.conditionBoostSpecs[{index}]"
        if not -1 <= spec.boost <= 1:
            raise InvalidArgument(f"{where}.boost: give -1 to 1", field=f"{where}.boost")
        check_filter(spec.condition, field=f"{where}.condition")


def _check_generation(request: answer_query.AnswerQueryRequest, models: frozenset[str]) -> None:
    spec = request.answer_generation_spec
    if spec is None:
        return
    if spec.model_spec and not _is_known(spec.model_spec.model_version, models):
        field = "answerGenerationSpec.modelSpec.modelVersion"
        raise InvalidArgument(f"{field}: use stable, or the name of a model", field=field)


def _is_known(version: str, models: frozenset[str]) -> bool:
    """Return whether *version* may stand for the one model that answers."""
    return not version or version in models or _VERSION.fullmatch(version) is not None


def _check_understanding(request: answer_query.AnswerQueryRequest) -> None:
    spec = request.query_understanding_spec
    rephraser = spec.query_rephraser_spec if spec else None
    if rephraser and rephraser.max_rephrase_steps > 5:
        field = "queryUnderstandingSpec.queryRephraserSpec.maxRephraseSteps"
        raise InvalidArgument(f"{field}: give 1 to 5", field=field)
    classifier = spec.query_classification_spec if spec else None
    for index, kind in enumerate(classifier.types if classifier else ()):
        if kind is QueryClassification.TYPE_UNSPECIFIED:
            field = f"queryUnderstandingSpec.queryClassificationSpec.types[{index}]"
            raise InvalidArgument(f"{field}: name the classifier", field=field)


def _check_safety(request: answer_query.AnswerQueryRequest) -> None:
    """Refuse settings that name no category."""
    for index, setting in enumerate(
        request.safety_spec.safety_settings if request.safety_spec else ()
    ):
        if setting.category is HarmCategory.HARM_CATEGORY_UNSPECIFIED:
            field = f"safetySpec.safetySettings[{index}].category"
            raise InvalidArgument(f"{field}: name the category", field=field)


def _check_given(request: answer_query.AnswerQueryRequest) -> None:
    given = request.search_spec.search_result_list if request.search_spec else None
    if given is None:
        return
    documents = [one.unstructured_document_info for one in given.search_results]
    chunks = [one.chunk_info.content for one in given.search_results if one.chunk_info]
    passages = [
        passage.content
        for one in documents
        if one is not None
        for passage in one.document_contexts or one.extractive_segments
    ]
    titles = [one.title for one in documents if one is not None]
    size = sum(map(len, (*chunks, *passages, *titles)))
    _at_most(size, MAX_GIVEN, "searchSpec.searchResultList", "characters in all")


def _at_most(size: int, bound: int, field: str, unit: str) -> None:
    if size > bound:
        raise InvalidArgument(f"{field}: at most {bound} {unit}, not {size}", field=field)


def check_summary_spec(spec: SummarySpec | None, models: frozenset[str]) -> None:
    """Refuse a summary of a negative number of results, or by an unknown model."""
    if spec is None:
        return
    if spec.summary_result_count < 0:
        field = "summarySpec.summaryResultCount"
        raise InvalidArgument(f"{field}: give 0 (the default, 5) or more", field=field)
    if spec.model_spec and not _is_known(spec.model_spec.version, models):
        field = "summarySpec.modelSpec.version"
        raise InvalidArgument(f"{field}: use stable, or the name of a model", field=field)
