"""The ``Conversation`` resource, the older multi-turn interface (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import search_requests, search_results, summaries
from sessions.resources.base import FieldMask, Int32, Resource, Timestamp, at_most_one
from sessions.resources.enums import Documented


class State(Documented):
    """Whether a conversation is open."""

    STATE_UNSPECIFIED = 0
    IN_PROGRESS = 1
    COMPLETED = 2


class ConversationContext(Resource):
    """The documents that the user sees."""

    context_documents: tuple[str, ...] = ()
    active_document: str = ""


class TextInput(Resource):
    """What the user says."""

    input: str = ""
    context: ConversationContext | None = None


class ReplyReference(Resource):
    """A source of ``Reply.reply``, in characters; deprecated."""

    uri: str = ""
    anchor_text: str = ""
    start: Int32 = 0
    end: Int32 = 0


class Reply(Resource):
    """What the service says; ``reply`` and ``references`` are deprecated copies of the summary."""

    summary: summaries.Summary | None = None
    reply: str = ""
    references: tuple[ReplyReference, ...] = ()


class ConversationMessage(Resource):
    """What one side says."""

    user_input: TextInput | None = None
    reply: Reply | None = None
    create_time: Timestamp | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "message",
            userInput=self.user_input,
            reply=self.reply,
        )


class Conversation(Resource):
    """What was said by turns: a user input, its reply, the next user input."""

    name: str = ""
    state: State = State.STATE_UNSPECIFIED
    user_pseudo_id: str = ""
    messages: tuple[ConversationMessage, ...] = ()
    start_time: Timestamp | None = None
    end_time: Timestamp | None = None


class CreateConversationRequest(Resource):
    """Open a conversation under ``parent``."""

    parent: str = ""
    conversation: Conversation | None = None


class ListConversationsRequest(Resource):
    """Read one page of the conversations under ``parent``."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""
    filter: str = ""
    order_by: str = ""


class ListConversationsResponse(Resource):
    """One page of conversations."""

    conversations: tuple[Conversation, ...] = ()
    next_page_token: str = ""


class UpdateConversationRequest(Resource):
    """Overwrite the fields that ``update_mask`` names (AIP-134)."""

    conversation: Conversation | None = None
    update_mask: FieldMask = ""


class ConverseConversationRequest(Resource):
    """Say something in a conversation."""

    name: str = ""
    query: TextInput | None = None
    serving_config: str = ""
    conversation: Conversation | None = None
    safe_search: bool = False
    user_labels: dict[str, str] = msgspec.field(default={})
    summary_spec: summaries.SummarySpec | None = None
    filter: str = ""
    boost_spec: search_requests.BoostSpec | None = None


class ConverseConversationResponse(Resource):
    """The reply, the conversation that has it, and what was found."""

    reply: Reply | None = None
    conversation: Conversation | None = None
    search_results: tuple[search_results.SearchResult, ...] = ()
    related_questions: tuple[str, ...] = ()
