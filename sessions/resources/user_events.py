"""``UserEvent``, its import and its purge (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import documents, operations, search_requests, sessions
from sessions.resources.base import (
    Duration,
    Int32,
    Int64,
    Resource,
    Struct,
    Timestamp,
    at_most_one,
)
from sessions.resources.enums import Documented


class FeedbackType(Documented):
    """Whether the user liked what came."""

    FEEDBACK_TYPE_UNSPECIFIED = 0
    LIKE = 1
    DISLIKE = 2


class FeedbackReason(Documented):
    """What the user did not like (the documents' ``Reason``)."""

    REASON_UNSPECIFIED = 0
    INACCURATE_RESPONSE = 1
    NOT_RELEVANT = 2
    INCOMPREHENSIVE = 3
    OFFENSIVE_OR_UNSAFE = 4
    FORMAT_AND_STYLES = 6
    BAD_CITATION = 7
    CANVAS_NOT_GENERATED = 8
    CANVAS_QUALITY_BAD = 9
    CANVAS_EXPORT_FAILED = 10


class FeedbackSource(Documented):
    """Where feedback was given."""

    FEEDBACK_SOURCE_UNSPECIFIED = 0
    GOOGLE_CONSOLE = 1
    GOOGLE_WIDGET = 2
    GOOGLE_WEBAPP = 3
    GOOGLE_AGENTSPACE_MOBILE = 4


class PageInfo(Resource):
    """The page that an event happened on."""

    pageview_id: str = ""
    page_category: str = ""
    uri: str = ""
    referrer_uri: str = ""


class DocumentInfo(Resource):
    """A document that an event is about."""

    id: str | None = None
    name: str | None = None
    uri: str | None = None
    quantity: Int32 | None = None
    promotion_ids: tuple[str, ...] = ()
    joined: bool = False
    conversion_value: float | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "document_descriptor",
            id=self.id,
            name=self.name,
            uri=self.uri,
        )


class PanelInfo(Resource):
    """A panel of results that an event is about."""

    panel_id: str = ""
    display_name: str = ""
    panel_position: Int32 | None = None
    total_panels: Int32 | None = None
    documents: tuple[DocumentInfo, ...] = ()


class SearchInfo(Resource):
    """The search that an event is about."""

    search_query: str = ""
    order_by: str = ""
    offset: Int32 | None = None


class CompletionInfo(Resource):
    """The suggestion that was chosen."""

    selected_suggestion: str = ""
    selected_position: Int32 = 0


class TransactionInfo(Resource):
    """What was bought."""

    value: float | None = None
    currency: str = ""
    transaction_id: str = ""
    tax: float | None = None
    cost: float | None = None
    discount_value: float | None = None


class CustomAttribute(Resource):
    """Texts or numbers under a name of the caller's."""

    text: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()


class MediaInfo(Resource):
    """How far something was played."""

    media_progress_duration: Duration | None = None
    media_progress_percentage: float | None = None


class ConversationInfo(Resource):
    """The query that feedback is about."""

    question_index: Int32 = 0
    session: str = ""
    query: sessions.Query | None = None
    assist_token: str = ""
    answer_query_token: str = ""


class Feedback(Resource):
    """What the user thinks of an answer."""

    feedback_type: FeedbackType = FeedbackType.FEEDBACK_TYPE_UNSPECIFIED
    reasons: tuple[FeedbackReason, ...] = ()
    comment: str = ""
    conversation_info: ConversationInfo | None = None
    llm_model_version: str = ""
    feedback_source: FeedbackSource = FeedbackSource.FEEDBACK_SOURCE_UNSPECIFIED
    component_version: str = ""
    data_terms_accepted: bool = False


class UserEvent(Resource):
    """Something that a user did."""

    event_type: str = ""
    conversion_type: str = ""
    user_pseudo_id: str = ""
    engine: str = ""
    data_store: str = ""
    event_time: Timestamp | None = None
    user_info: search_requests.UserInfo | None = None
    direct_user_request: bool = False
    session_id: str = ""
    page_info: PageInfo | None = None
    attribution_token: str = ""
    filter: str = ""
    documents: tuple[DocumentInfo, ...] = ()
    panel: PanelInfo | None = None
    search_info: SearchInfo | None = None
    completion_info: CompletionInfo | None = None
    transaction_info: TransactionInfo | None = None
    tag_ids: tuple[str, ...] = ()
    promotion_ids: tuple[str, ...] = ()
    attributes: dict[str, CustomAttribute] = msgspec.field(default={})
    media_info: MediaInfo | None = None
    panels: tuple[PanelInfo, ...] = ()
    feedback: Feedback | None = None
    entity: str = ""


class WriteUserEventRequest(Resource):
    """Record an event."""

    parent: str = ""
    user_event: UserEvent | None = None
    write_async: bool = False


class CollectUserEventRequest(Resource):
    """Record an event from a browser; ``user_event`` is URL-encoded."""

    parent: str = ""
    user_event: str = ""
    uri: str | None = None
    ets: Int64 | None = None


class UserEventInlineSource(Resource):
    """Events to import, in the request itself."""

    user_events: tuple[UserEvent, ...] = ()


class ImportUserEventsRequest(Resource):
    """Import many events as one operation."""

    inline_source: UserEventInlineSource | None = None
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


class ImportUserEventsResponse(Resource):
    """How many events are about documents that there are, and why others were refused."""

    error_samples: tuple[operations.Status, ...] = ()
    error_config: documents.ErrorConfig | None = None
    joined_events_count: Int64 = "0"
    unjoined_events_count: Int64 = "0"


class EventsMetadata(Resource):
    """How far an import or a purge of events is (two messages of one form)."""

    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    success_count: Int64 = "0"
    failure_count: Int64 = "0"


class PurgeUserEventsRequest(Resource):
    """Delete, or count, the events that a filter names."""

    parent: str = ""
    filter: str = ""
    force: bool = False


class PurgeUserEventsResponse(Resource):
    """How many events were, or would be, deleted."""

    purge_count: Int64 = "0"
