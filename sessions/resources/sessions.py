"""The ``Session`` resource and the requests of its routes (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import answers
from sessions.resources.base import FieldMask, Int32, Resource, Struct, Timestamp
from sessions.resources.enums import Documented


class State(Documented):
    """Whether the session is open; it always is."""

    STATE_UNSPECIFIED = 0
    IN_PROGRESS = 1


class Query(Resource):
    """What the user asked; ``text`` is the only kind of content there is."""

    text: str | None = None
    query_id: str = ""


class Turn(Resource):
    """One query and the name of its answer; ``detailed_answer`` is filled on request only."""

    query: Query | None = None
    answer: str = ""
    detailed_answer: answers.Answer | None = None
    detailed_assist_answer: Struct | None = None
    query_config: dict[str, str] = msgspec.field(default={})
    live: bool = False


class Session(Resource):
    """What was asked and answered in one place, turn by turn."""

    name: str = ""
    display_name: str = ""
    state: State = State.STATE_UNSPECIFIED
    user_pseudo_id: str = ""
    turns: tuple[Turn, ...] = ()
    labels: tuple[str, ...] = ()
    start_time: Timestamp | None = None
    end_time: Timestamp | None = None
    is_pinned: bool = False
    pending_async_assist_operation_id: str = ""


class CreateSessionRequest(Resource):
    """Open a session under ``parent``."""

    parent: str = ""
    session: Session | None = None
    session_id: str = ""


class GetSessionRequest(Resource):
    """Read a session, with its answers in full where asked for."""

    name: str = ""
    include_answer_details: bool = False


class ReadSessionRequest(GetSessionRequest):
    """Read a session with some of its turns; of a long one, all would be too much at once.

    ``turn_offset`` is the first turn that is told, counted from the end where it is negative, and
    ``turn_limit`` how many are, all of them where it is 0. No official message has these fields.
    """

    turn_offset: Int32 = 0
    turn_limit: Int32 = 0


class ListSessionsRequest(Resource):
    """Read one page of the sessions under ``parent``."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""
    filter: str = ""
    order_by: str = ""


class ReadSessionsRequest(ListSessionsRequest):
    """Read one page of the sessions with some of their turns, as `ReadSessionRequest` does."""

    turn_offset: Int32 = 0
    turn_limit: Int32 = 0


class ListSessionsResponse(Resource):
    """One page of sessions."""

    sessions: tuple[Session, ...] = ()
    next_page_token: str = ""


class UpdateSessionRequest(Resource):
    """Overwrite the fields that ``update_mask`` names (AIP-134)."""

    session: Session | None = None
    update_mask: FieldMask = ""
