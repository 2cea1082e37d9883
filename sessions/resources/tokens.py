"""The messages by which tokens of users and visitors are minted; they are this service's own."""

from __future__ import annotations

import msgspec

from sessions.resources.base import Duration, Resource, Struct, Timestamp


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
