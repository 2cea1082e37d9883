"""Suggestions of the operator's own, and phrases that are never suggested (discoveryengine)."""

from __future__ import annotations

from sessions.resources import documents, operations, search_requests
from sessions.resources.base import Int64, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class MatchOperator(Documented):
    """Which suggestions a phrase denies."""

    MATCH_OPERATOR_UNSPECIFIED = 0
    EXACT_MATCH = 1
    CONTAINS = 2


class SuggestionDenyListEntry(Resource):
    """A phrase that is not to be suggested."""

    block_phrase: str = ""
    match_operator: MatchOperator = MatchOperator.MATCH_OPERATOR_UNSPECIFIED


class CompletionSuggestion(Resource):
    """A suggestion of the operator's own."""

    global_score: float | None = None
    frequency: Int64 | None = None
    suggestion: str = ""
    language_code: str = ""
    group_id: str = ""
    group_score: float = 0.0
    alternative_phrases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        at_most_one("ranking_info", globalScore=self.global_score, frequency=self.frequency)


class DenyListInlineSource(Resource):
    """Phrases to deny, in the request itself."""

    entries: tuple[SuggestionDenyListEntry, ...] = ()


class ImportSuggestionDenyListEntriesRequest(Resource):
    """Deny phrases, besides those that are denied already."""

    inline_source: DenyListInlineSource | None = None
    gcs_source: documents.GcsSource | None = None
    parent: str = ""

    def __post_init__(self) -> None:
        at_most_one("source", inlineSource=self.inline_source, gcsSource=self.gcs_source)


class ImportSuggestionDenyListEntriesResponse(Resource):
    """How many phrases are denied now, and why others were refused."""

    error_samples: tuple[operations.Status, ...] = ()
    imported_entries_count: Int64 = "0"
    failed_entries_count: Int64 = "0"


class PurgeSuggestionDenyListEntriesRequest(Resource):
    """Deny no phrase any more."""

    parent: str = ""


class PurgeSuggestionDenyListEntriesResponse(Resource):
    """How many phrases were denied."""

    purge_count: Int64 = "0"
    error_samples: tuple[operations.Status, ...] = ()


class SuggestionsInlineSource(Resource):
    """Suggestions to import, in the request itself."""

    suggestions: tuple[CompletionSuggestion, ...] = ()


class ImportCompletionSuggestionsRequest(Resource):
    """Suggest texts of the operator's own, besides those that are suggested already."""

    inline_source: SuggestionsInlineSource | None = None
    gcs_source: documents.GcsSource | None = None
    bigquery_source: Struct | None = None
    parent: str = ""
    error_config: documents.ErrorConfig | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "source",
            inlineSource=self.inline_source,
            gcsSource=self.gcs_source,
            bigquerySource=self.bigquery_source,
        )


class ImportCompletionSuggestionsResponse(Resource):
    """Why suggestions were refused."""

    error_samples: tuple[operations.Status, ...] = ()
    error_config: documents.ErrorConfig | None = None


class PurgeCompletionSuggestionsRequest(Resource):
    """Suggest nothing of the operator's own any more."""

    parent: str = ""


class PurgeCompletionSuggestionsResponse(Resource):
    """Whether that was done."""

    purge_succeeded: bool = False
    error_samples: tuple[operations.Status, ...] = ()


class RemoveSuggestionRequest(Resource):
    """Forget one search of a visitor, or all of them."""

    search_history_suggestion: str | None = None
    remove_all_search_history_suggestions: bool | None = None
    completion_config: str = ""
    user_pseudo_id: str = ""
    user_info: search_requests.UserInfo | None = None
    remove_time: Timestamp | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "suggestion",
            searchHistorySuggestion=self.search_history_suggestion,
            removeAllSearchHistorySuggestions=self.remove_all_search_history_suggestions,
        )


class RemoveSuggestionResponse(Resource):
    """Nothing: it was removed, or was not there."""
