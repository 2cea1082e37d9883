"""The messages by which tokens of users and visitors are minted; they are this service's own."""

from __future__ import annotations

import msgspec

from sessions.resources.base import Duration, Int32, Resource, Struct, Timestamp


class MintTokenRequest(Resource):
    """Ask for the token of a user, for the data store or engine in the path.

    ``subject`` is the user's ``userPseudoId``. ``dataStores`` are others, of the same project, that
    it is good for as well; ``origins`` the only pages that may send it. ``claims`` are texts, or
    lists of texts, for the filters that decide which documents the user may see. ``ttl`` is 1 to
    600 seconds, 600 by default.
    """

    subject: str = ""
    data_stores: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    claims: Struct = msgspec.field(default={})
    ttl: Duration | None = None


class MintTokenResponse(Resource):
    """A token, to be sent as ``Authorization: Bearer``, and when it ends."""

    token: str = ""
    expire_time: Timestamp | None = None


class MintVisitorTokenRequest(Resource):
    """Ask for the tokens of a visitor of the data store or engine in the path.

    With ``renewalToken`` they are those of a visitor who was there before, and all else is as it
    was. ``dataStores`` and ``origins`` are as for a user; only servers give ``dataStores``.
    """

    renewal_token: str = ""
    data_stores: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


class MintVisitorTokenResponse(Resource):
    """The token of a visitor, and the one that the next is asked for with, once."""

    token: str = ""
    expire_time: Timestamp | None = None
    user_pseudo_id: str = ""
    renewal_token: str = ""
    renewal_expire_time: Timestamp | None = None


class MergeVisitorRequest(Resource):
    """Let a visitor become a user.

    ``visitorToken`` is either token of the visitor. ``userPseudoId`` is the user; a user who asks
    is the one.
    """

    visitor_token: str = ""
    user_pseudo_id: str = ""


class MergeVisitorResponse(Resource):
    """How many sessions and conversations were moved; none where that was done before."""

    session_count: Int32 = 0
    conversation_count: Int32 = 0


class MintReadTokenResponse(Resource):
    """A token by which the text of one document can be read, and when it ends."""

    token: str = ""
    expire_time: Timestamp | None = None
