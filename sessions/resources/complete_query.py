"""Query completion: ``CompleteQueryRequest`` and the advanced form (discoveryengine)."""

from __future__ import annotations

from sessions.resources import documents, search_requests
from sessions.resources.base import Int32, Resource, Timestamp
from sessions.resources.enums import Documented


class SuggestionType(Documented):
    """What is suggested."""

    SUGGESTION_TYPE_UNSPECIFIED = 0
    QUERY = 1
    PEOPLE = 2
    CONTENT = 3
    RECENT_SEARCH = 4
    GOOGLE_WORKSPACE = 5


class CompleteQueryRequest(Resource):
    """Ask how a query may go on."""

    data_store: str = ""
    query: str = ""
    query_model: str = ""
    user_pseudo_id: str = ""
    include_tail_suggestions: bool = False


class QuerySuggestion(Resource):
    """One way in which a query may go on."""

    suggestion: str = ""
    completable_field_paths: tuple[str, ...] = ()


class CompleteQueryResponse(Resource):
    """Ways in which a query may go on."""

    query_suggestions: tuple[QuerySuggestion, ...] = ()
    tail_match_triggered: bool = False


class ConditionBoostSpec(Resource):
    """Raise or lower suggestions that match."""

    condition: str = ""
    boost: float = 0.0


class BoostSpec(Resource):
    """Boosts of suggestions."""

    condition_boost_specs: tuple[ConditionBoostSpec, ...] = ()


class SuggestionTypeSpec(Resource):
    """How many suggestions of one type to give."""

    suggestion_type: SuggestionType = SuggestionType.SUGGESTION_TYPE_UNSPECIFIED
    max_suggestions: Int32 = 0


class AdvancedCompleteQueryRequest(Resource):
    """Ask for suggestions of several types."""

    completion_config: str = ""
    query: str = ""
    query_model: str = ""
    user_pseudo_id: str = ""
    user_info: search_requests.UserInfo | None = None
    include_tail_suggestions: bool = False
    boost_spec: BoostSpec | None = None
    suggestion_types: tuple[SuggestionType, ...] = ()
    suggestion_type_specs: tuple[SuggestionTypeSpec, ...] = ()
    experiment_ids: tuple[str, ...] = ()


class AdvancedQuerySuggestion(Resource):
    """A query, scored, with the data stores it finds something in."""

    suggestion: str = ""
    completable_field_paths: tuple[str, ...] = ()
    data_store: tuple[str, ...] = ()
    score: float = 0.0


class PersonType(Documented):
    """Where a person is known from."""

    PERSON_TYPE_UNSPECIFIED = 0
    CLOUD_IDENTITY = 1
    THIRD_PARTY_IDENTITY = 2


class PersonSuggestion(Resource):
    """A person; never written, since no people are known here."""

    suggestion: str = ""
    person_type: PersonType = PersonType.PERSON_TYPE_UNSPECIFIED
    document: documents.Document | None = None
    data_store: str = ""
    score: float = 0.0
    display_photo_uri: str = ""
    destination_uri: str = ""


class ContentType(Documented):
    """Where a content comes from."""

    CONTENT_TYPE_UNSPECIFIED = 0
    GOOGLE_WORKSPACE = 1
    THIRD_PARTY = 2


class ContentSuggestion(Resource):
    """A document by its title."""

    suggestion: str = ""
    content_type: ContentType = ContentType.CONTENT_TYPE_UNSPECIFIED
    document: documents.Document | None = None
    data_store: str = ""
    score: float = 0.0
    icon_uri: str = ""
    destination_uri: str = ""


class RecentSearchSuggestion(Resource):
    """A search that the user ran before."""

    suggestion: str = ""
    recent_search_time: Timestamp | None = None
    score: float = 0.0


class AdvancedCompleteQueryResponse(Resource):
    """Suggestions, by their type."""

    query_suggestions: tuple[AdvancedQuerySuggestion, ...] = ()
    tail_match_triggered: bool = False
    people_suggestions: tuple[PersonSuggestion, ...] = ()
    content_suggestions: tuple[ContentSuggestion, ...] = ()
    recent_search_suggestions: tuple[RecentSearchSuggestion, ...] = ()
