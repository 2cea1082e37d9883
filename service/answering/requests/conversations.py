"""Read what is said in conversations: what of it is refused, and what the pipeline is asked."""

from __future__ import annotations

from typing import Final

from service.answering.requests import field_checks
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources import answer_query, conversations, summaries
from sessions.resources.conversations import ConversationContext, TextInput
from sessions.resources.search_requests import SearchResultMode
from sessions.resources.sessions import Query

MAX_CONTEXT: Final = 100
"""Documents that a user may have before them, as a request says."""
DEFAULT_RESULTS: Final = 5
"""Results that a summary is made of where ``SummarySpec.summaryResultCount`` is 0."""
_MAX_RESULTS: Final = 10
_MAX_CHUNKS: Final = 50


def check(
    request: conversations.ConverseConversationRequest, parent: str, models: frozenset[str]
) -> None:
    """Refuse what is said to a conversation of *parent* and is wrong in itself.

    Raises:
        InvalidArgument: a field is out of its bounds; the first such field is named.
    """
    field_checks.check_query(request.query.input if request.query else "", field="query.input")
    _check_context(request.query)
    if request.conversation:
        user = request.conversation.user_pseudo_id
        field_checks.check_user(user, field="conversation.userPseudoId")
    field_checks.check_labels(request.user_labels)
    field_checks.check_filter(request.filter, field="filter")
    field_checks.check_boosts(request.boost_spec, field="boostSpec")
    field_checks.check_summary_spec(request.summary_spec, models)
    if not request.serving_config:
        return
    config = names.checked(request.serving_config, names.SERVING_CONFIG, field="servingConfig")
    if names.check_serving_config(config) != parent:
        raise InvalidArgument(
            f"servingConfig: must be one of {parent}, as the conversation", field="servingConfig"
        )


def _check_context(query: TextInput | None) -> None:
    """Refuse names, among the documents that a user sees, that no document can have."""
    context = (query and query.context) or ConversationContext()
    field_checks.check_at_most(
        len(context.context_documents), MAX_CONTEXT, "query.context.contextDocuments", "documents"
    )
    for at, name in enumerate(context.context_documents):
        names.check_forbidden(name, field=f"query.context.contextDocuments[{at}]")
    names.check_forbidden(context.active_document, field="query.context.activeDocument")


def as_query(request: conversations.ConverseConversationRequest) -> answer_query.AnswerQueryRequest:
    """Translate a turn of a conversation into the one request that the pipeline answers."""
    spec = request.summary_spec or summaries.SummarySpec()
    by_chunk = spec.use_semantic_chunks
    count = spec.summary_result_count or DEFAULT_RESULTS
    return answer_query.AnswerQueryRequest(
        query=Query(text=request.query.input if request.query else ""),
        user_pseudo_id=request.conversation.user_pseudo_id if request.conversation else "",
        user_labels=request.user_labels,
        safety_spec=answer_query.SafetySpec(enable=True) if request.safe_search else None,
        related_questions_spec=answer_query.RelatedQuestionsSpec(enable=True),
        answer_generation_spec=answer_query.AnswerGenerationSpec(
            model_spec=answer_query.ModelSpec(
                model_version=spec.model_spec.version if spec.model_spec else ""
            ),
            prompt_spec=answer_query.PromptSpec(
                preamble=spec.model_prompt_spec.preamble if spec.model_prompt_spec else ""
            ),
            include_citations=True,
            answer_language_code=spec.language_code,
            ignore_adversarial_query=spec.ignore_adversarial_query,
            ignore_non_answer_seeking_query=spec.ignore_non_summary_seeking_query,
            # False stands for the default, which leaves it to the service.
            ignore_low_relevant_content=spec.ignore_low_relevant_content or None,
            ignore_jail_breaking_query=spec.ignore_jail_breaking_query,
            multimodal_spec=spec.multimodal_spec,
        ),
        search_spec=answer_query.SearchSpec(
            search_params=answer_query.SearchParams(
                max_return_results=min(count, _MAX_CHUNKS if by_chunk else _MAX_RESULTS),
                filter=request.filter,
                boost_spec=request.boost_spec,
                search_result_mode=SearchResultMode.CHUNKS
                if by_chunk
                else SearchResultMode.DOCUMENTS,
            )
        ),
    )
