"""Read answer queries: what the pipeline is asked, and what of a request is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.requests import field_checks, order_by
from service.corpus.document_access import Viewer
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources import answer_query
from sessions.resources.answers import HarmCategory, QueryClassification
from sessions.resources.base import Resource
from sessions.resources.conversations import ConverseConversationRequest
from sessions.resources.generate_content import GenerationConfig

MAX_GIVEN: Final = 200_000
"""Characters of all results that a request brings to be answered from: they are read at once."""
_PARAMS: Final = "searchSpec.searchParams"


class PipelineRequest(Resource):
    """A query with all that another process needs to answer it; it is stored with the answer.

    *parent* is the data store or engine that is searched. *converse* is set for a conversation:
    `request` is then its translation, and the reply follows what *converse* asks for.
    *generation_config* is how a model that writes is to choose its words. *viewer* is as whom
    documents are looked for, by whichever process.
    """

    parent: str
    request: answer_query.AnswerQueryRequest
    converse: ConverseConversationRequest | None = None
    generation_config: GenerationConfig | None = None
    viewer: Viewer = Viewer()


def check(request: answer_query.AnswerQueryRequest, parent: str, models: frozenset[str]) -> None:
    """Refuse an answer query that is wrong in itself, before anything is written.

    Raises:
        InvalidArgument: a field is out of its bounds; the first such field is named.
    """
    text = request.query.text if request.query else ""
    field_checks.check_query(text or "", field="query.text")
    field_checks.check_user(request.user_pseudo_id, field="userPseudoId")
    field_checks.check_labels(request.user_labels)
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
    if request.search_spec and request.search_spec.search_params:
        _check_params(request.search_spec.search_params)


def _check_generation(request: answer_query.AnswerQueryRequest, models: frozenset[str]) -> None:
    spec = request.answer_generation_spec
    if spec is None:
        return
    if spec.model_spec and not field_checks.is_known_model(spec.model_spec.model_version, models):
        field = "answerGenerationSpec.modelSpec.modelVersion"
        raise InvalidArgument(f"{field}: use stable, or the name of a model", field=field)
    field_checks.check_images(spec.multimodal_spec, field="answerGenerationSpec.multimodalSpec")


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
    field_checks.check_at_most(size, MAX_GIVEN, "searchSpec.searchResultList", "characters in all")


def _check_params(params: answer_query.SearchParams) -> None:
    if params.max_return_results < 0:
        field = f"{_PARAMS}.maxReturnResults"
        raise InvalidArgument(f"{field}: give 0 (the default, 10) or more", field=field)
    field_checks.check_filter(params.filter, field=f"{_PARAMS}.filter")
    field_checks.check_boosts(params.boost_spec, field=f"{_PARAMS}.boostSpec")
    order_by.parse(params.order_by, field=f"{_PARAMS}.orderBy")
    for index, spec in enumerate(params.data_store_specs):
        field = f"{_PARAMS}.dataStoreSpecs[{index}]"
        names.checked(spec.data_store, names.DATA_STORE, field=f"{field}.dataStore")
        field_checks.check_filter(spec.filter, field=f"{field}.filter")
        field_checks.check_boosts(spec.boost_spec, field=f"{field}.boostSpec")
        field_checks.check_not_negative(spec.num_results, f"{field}.numResults")


def check_data_stores(params: answer_query.SearchParams, data_stores: Sequence[str]) -> None:
    """Refuse to search elsewhere than in *data_stores*, or in one of them twice.

    Raises:
        InvalidArgument: a data store is not among them, or is named again.
    """
    named: set[str] = set()
    for index, spec in enumerate(params.data_store_specs):
        name, field = (
            names.canonical(spec.data_store),
            f"{_PARAMS}.dataStoreSpecs[{index}].dataStore",
        )
        if name not in data_stores:
            raise InvalidArgument(
                f"{field}: '{name[:200]}' is not searched by this serving config", field=field
            )
        if name in named:
            raise InvalidArgument(f"{field}: is named twice; join the filters by OR", field=field)
        named.add(name)
