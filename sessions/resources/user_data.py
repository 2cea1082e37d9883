"""Messages by which people get what is kept of them, or have it deleted."""

from __future__ import annotations

from sessions.resources.base import Int64, Resource, Timestamp


class ExportUserDataRequest(Resource):
    """Ask for all that is kept of the user ``userPseudoId`` in the location of the path."""

    user_pseudo_id: str = ""


class PurgeUserDataRequest(Resource):
    """Have all deleted that is kept of the user ``userPseudoId`` in the location of the path."""

    user_pseudo_id: str = ""


class ExportUserDataResponse(Resource):
    """Where the export can be had once, until when, and how much of each kind there is."""

    uri: str = ""
    expire_time: Timestamp | None = None
    session_count: Int64 = "0"
    conversation_count: Int64 = "0"
    answer_count: Int64 = "0"
    user_event_count: Int64 = "0"
    query_count: Int64 = "0"


class PurgeUserDataResponse(Resource):
    """How much of each kind was deleted."""

    session_count: Int64 = "0"
    conversation_count: Int64 = "0"
    answer_count: Int64 = "0"
    user_event_count: Int64 = "0"
    query_count: Int64 = "0"


class PurgeUserDataMetadata(Resource):
    """How much was deleted so far."""

    progress: PurgeUserDataResponse | None = None
