"""Let a visitor become a user, with the sessions and conversations of the visitor.

First it is recorded, durably and once, which user that is: from then on no token of the visitor is
accepted, and no other user can have it. Then each session is moved, in one step of its own, since
sessions lie in many slots; to move one again changes nothing. Whoever asked may ask again, and
once more the service looks by itself, when the last token of the visitor has ended.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

from service.security.principals import Principal, PrincipalKind
from service.security.tokens import subjects, token_claims, trusted_issuers
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.visitor_minter import RENEWAL_LIFE
from service.security.tokens.visitor_store import VisitorMerge, VisitorStore
from sessions import names
from sessions.errors import FailedPrecondition, InvalidArgument, NotFound, ServiceError
from sessions.listing.pagination import ListQuery
from sessions.resources.conversations import Conversation
from sessions.resources.sessions import Session
from sessions.resources.tokens import MergeVisitorRequest, MergeVisitorResponse
from sessions.stores.owner_store import OwnerStore
from sessions.stores.store_set import ConversationStore, SessionStore

_ROUND: Final = 60.0
"""Seconds between two looks for merges that are to be finished."""
_PAGE: Final = 100
_FIELD: Final = "user_pseudo_id"


class VisitorMerges:
    """Merges visitors into users. Methods raise `Unavailable` while Redis is away."""

    def __init__(
        self,
        store: VisitorStore,
        verifier: TokenVerifier,
        sessions: SessionStore,
        conversations: ConversationStore,
    ) -> None:
        self._store = store
        self._verifier = verifier
        self._sessions = sessions
        self._conversations = conversations

    async def merge(
        self, caller: Principal, name: str, request: MergeVisitorRequest
    ) -> MergeVisitorResponse:
        """Let the visitor of ``visitorToken`` become the user ``userPseudoId``.

        Raises:
            InvalidArgument: that is no id of a user.
            PermissionDenied: the token is none of a visitor, or not accepted.
            FailedPrecondition: the visitor has become another user (VISITOR_MERGED).
            NotFound: *caller* does not reach what the visitor has visited.
        """
        user = caller.subject if caller.kind is PrincipalKind.USER else request.user_pseudo_id
        try:
            subjects.check_user(user)
        except ValueError as exc:
            raise InvalidArgument(f"userPseudoId: {exc}", field="userPseudoId") from exc
        payload = await self._verifier.own(
            request.visitor_token,
            {trusted_issuers.VISITOR, trusted_issuers.RENEWAL},
            longest=RENEWAL_LIFE,
        )
        stores = token_claims.data_stores(payload["dataStores"])
        if name not in stores or not all(map(caller.reaches, stores)):
            raise names.absent(name)
        merge = VisitorMerge(str(payload["project"]), str(payload["sub"]), user, stores)
        if not await self._store.merge(merge):
            raise FailedPrecondition(
                "the visitor has become another user already, or was ended; nothing was moved",
                reason="VISITOR_MERGED",
            )
        return await self.move(merge)

    async def move(self, merge: VisitorMerge) -> MergeVisitorResponse:
        """Give what is the visitor's to the user; tell how many were moved."""
        sessions = conversations = 0
        for parent in merge.data_stores:
            sessions += await _moved(
                self._sessions, parent, merge, Session(user_pseudo_id=merge.user)
            )
            conversations += await _moved(
                self._conversations, parent, merge, Conversation(user_pseudo_id=merge.user)
            )
        return MergeVisitorResponse(session_count=sessions, conversation_count=conversations)

    async def finish(self) -> None:
        """Move what came after a merge, or what a process that died has left."""
        for merge in await self._store.due():
            await self.move(merge)
            await self._store.finished(merge)

    async def keep_finishing(self) -> None:
        """Do that again and again; never returns. Two replicas do no harm."""
        while True:
            await asyncio.sleep(_ROUND)
            with contextlib.suppress(ServiceError):  # the next round finds it still undone
                await self.finish()


async def _moved(
    store: OwnerStore[Any], parent: str, merge: VisitorMerge, patch: Session | Conversation
) -> int:
    """Give what *merge* is about in one *store* to the user, and return how many there were."""
    count, token = 0, ""
    while True:
        query = ListQuery(parent, page_size=_PAGE, page_token=token, owner=merge.visitor)
        found, token = await store.list(query)
        for each in found:
            with contextlib.suppress(NotFound):  # it was deleted meanwhile
                await store.update(each.name, patch, _FIELD)
                count += 1
        if not token:
            return count
