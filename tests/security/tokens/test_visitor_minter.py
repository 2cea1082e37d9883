"""Visitors: who comes back is the same one, who was copied is nobody, who signs in is a user."""

from __future__ import annotations

from typing import Any

import jwt
import msgspec
import pytest

from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Portal
from service.security.authentication import NOBODY
from service.security.credentials import Credentials
from service.security.principals import Principal, PrincipalKind
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_minter import TokenMinter
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.visitor_merges import VisitorMerges
from service.security.tokens.visitor_minter import VisitorMinter
from service.security.tokens.visitor_store import VisitorMerge, VisitorStore
from sessions import names
from sessions.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ServiceError,
)
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.conversations import Conversation
from sessions.resources.sessions import Session
from sessions.resources.tokens import (
    MergeVisitorRequest,
    MintVisitorTokenRequest,
    MintVisitorTokenResponse,
)
from sessions.stores.store_set import ConversationStore, SessionStore
from tests.security.tokens.signers import NOW, OTHER, STORE

pytestmark = pytest.mark.anyio

SERVER = Principal(kind=PrincipalKind.SERVER, id="key:k1", project="p", credential="k1.1")
CLOSED = Portal(data_stores=(DataStorePolicy(name=OTHER, visitors=False),))
NEW = MintVisitorTokenRequest()


def user(subject: str, data_stores: tuple[str, ...] = (STORE, OTHER)) -> Principal:
    return Principal(
        kind=PrincipalKind.USER,
        id=f"user:p/{subject}",
        project="p",
        data_stores=data_stores,
        subject=subject,
    )


class Visits:
    """All that visitors meet, with a clock that a test sets."""

    def __init__(self, redis: Redis, keys: Keys, *, anonymous: bool = True) -> None:
        self.redis, self.keys = redis, keys
        self.now = float(NOW)
        self.held = {"k1.1"}
        self.signing = SigningKeys(redis, keys)
        self.store = VisitorStore(redis, keys)
        self.sessions = SessionStore(redis, keys)
        self.conversations = ConversationStore(redis, keys)
        self.tokens = TokenVerifier(
            self.signing,
            {},
            holds=self.held.__contains__,
            visitors=self.store,
            anonymous=lambda: anonymous,
            clock=lambda: self.now,
        )
        minter = TokenMinter(self.signing, clock=lambda: self.now)
        self.minter = minter
        self.visitors = VisitorMinter(minter, self.tokens, self.store, CLOSED)
        self.merges = VisitorMerges(self.store, self.tokens, self.sessions, self.conversations)

    async def new(self, caller: Principal = NOBODY) -> MintVisitorTokenResponse:
        return await self.visitors.mint(caller, STORE, NEW)

    async def renewed(self, token: str, caller: Principal = NOBODY) -> MintVisitorTokenResponse:
        asked = MintVisitorTokenRequest(renewal_token=token)
        return await self.visitors.mint(caller, STORE, asked)

    async def who(self, token: str) -> Principal:
        return await self.tokens.principal(Credentials(token=token))

    async def merged(self, token: str, to: str, caller: Principal = SERVER) -> tuple[int, int]:
        asked = MergeVisitorRequest(visitor_token=token, user_pseudo_id=to)
        made = await self.merges.merge(caller, STORE, asked)
        return made.session_count, made.conversation_count


@pytest.fixture
def visits(redis: Redis, keys: Keys) -> Visits:
    return Visits(redis, keys)


async def refused(work: Any) -> str:
    with pytest.raises(ServiceError) as caught:
        await work
    return caught.value.reason


async def test_a_visitor_is_somebody_new_within_one_data_store(visits: Visits) -> None:
    made, other = await visits.new(), await visits.new()
    found = await visits.who(made.token)
    assert found.kind is PrincipalKind.VISITOR
    assert found.subject == made.user_pseudo_id != other.user_pseudo_id
    assert found.subject.startswith("visitor-")
    assert (found.id, found.data_stores) == (f"visitor:p/{found.subject}", (STORE,))


async def test_who_renews_is_the_same_visitor_weeks_later(visits: Visits) -> None:
    made = await visits.new()
    for _ in range(3):
        visits.now += 29 * 86_400
        assert await refused(visits.who(made.token)) == "TOKEN_EXPIRED"
        before, made = made, await visits.renewed(made.renewal_token)
        assert (await visits.who(made.token)).subject == before.user_pseudo_id
    visits.now += 30 * 86_400 + 31
    assert await refused(visits.renewed(made.renewal_token)) == "TOKEN_EXPIRED"


async def test_two_tabs_may_renew_at_once(visits: Visits) -> None:
    made = await visits.new()
    first = await visits.renewed(made.renewal_token)
    second = await visits.renewed(made.renewal_token)
    assert (await visits.who(second.token)).subject == first.user_pseudo_id
    await visits.renewed(first.renewal_token)
    await visits.renewed(second.renewal_token)


async def test_a_stolen_renewal_token_ends_the_visitor(visits: Visits) -> None:
    """Whichever of the two comes second: nobody can tell which of them is the thief."""
    stolen = await visits.new()
    made = await visits.renewed(stolen.renewal_token)
    made = await visits.renewed(made.renewal_token)
    assert await refused(visits.renewed(stolen.renewal_token)) == "TOKEN_INVALID"
    assert await refused(visits.renewed(made.renewal_token)) == "TOKEN_INVALID"
    assert await refused(visits.who(made.token)) == "TOKEN_INVALID"


async def test_a_renewal_token_is_good_for_nothing_else(visits: Visits) -> None:
    made = await visits.new()
    assert await refused(visits.who(made.renewal_token)) == "TOKEN_INVALID"
    assert await refused(visits.renewed(made.token)) == "TOKEN_INVALID"
    other = await visits.who((await visits.new()).token)
    assert await refused(visits.renewed(made.renewal_token, other)) == "TOKEN_INVALID"
    asked = MintVisitorTokenRequest(renewal_token=made.renewal_token)
    with pytest.raises(NotFound):
        await visits.visitors.mint(NOBODY, OTHER, asked)


async def test_nobody_asks_for_more_than_the_data_store_of_the_page(visits: Visits) -> None:
    more = MintVisitorTokenRequest(data_stores=(OTHER,))
    assert await refused(visits.visitors.mint(NOBODY, STORE, more)) == "NOT_PERMITTED"
    made = await visits.visitors.mint(SERVER, STORE, more)
    assert (await visits.who(made.token)).data_stores == (STORE, OTHER)
    itself = await visits.who(made.token)
    assert await refused(visits.new(itself)) == "NOT_PERMITTED"
    both = MintVisitorTokenRequest(renewal_token=made.renewal_token, data_stores=(OTHER,))
    with pytest.raises(InvalidArgument):
        await visits.visitors.mint(SERVER, STORE, both)


async def test_a_data_store_without_visitors_is_not_there_for_strangers(visits: Visits) -> None:
    """Nor is an engine over it; a server may still vouch for somebody."""
    visits.visitors.check_welcome(NOBODY, STORE, (STORE,))
    for name, stores in ((OTHER, (OTHER,)), (STORE, (STORE, OTHER))):
        with pytest.raises(NotFound) as caught:
            visits.visitors.check_welcome(NOBODY, name, stores)
        assert caught.value.message == names.absent(name).message
        visits.visitors.check_welcome(SERVER, name, stores)


async def test_without_anonymous_visitors_a_key_has_to_stand_behind_each(
    redis: Redis, keys: Keys, visits: Visits
) -> None:
    strict = Visits(redis, keys, anonymous=False)
    stranger, known = await visits.new(), await strict.new(SERVER)
    assert await refused(strict.who(stranger.token)) == "TOKEN_INVALID"
    assert await refused(strict.renewed(stranger.renewal_token)) == "TOKEN_INVALID"
    visitor = await strict.who(known.token)
    again = await strict.renewed(known.renewal_token, visitor)
    assert (await strict.who(again.token)).credential == "k1.1"
    strict.held.clear()
    assert await refused(strict.who(again.token)) == "TOKEN_INVALID"
    assert await refused(strict.renewed(again.renewal_token)) == "TOKEN_INVALID"


async def test_a_merge_moves_sessions_and_conversations_once(visits: Visits) -> None:
    made, other = await visits.new(), await visits.new()
    visitor = made.user_pseudo_id
    mine = [await visits.sessions.create(STORE, Session(), user=visitor) for _ in range(3)]
    kept = await visits.sessions.create(STORE, Session(), user=other.user_pseudo_id)
    talk = await visits.conversations.create(STORE, Conversation(), user=visitor)
    assert (await visits.who(made.token)).subject == visitor
    assert await visits.merged(made.token, "ann") == (3, 1)
    for each in mine:
        assert (await visits.sessions.get(each.name)).user_pseudo_id == "ann"
    assert (await visits.conversations.get(talk.name)).user_pseudo_id == "ann"
    assert (await visits.sessions.get(kept.name)).user_pseudo_id == other.user_pseudo_id
    assert await visits.merged(made.token, "ann") == (0, 0), "to ask again changes nothing"


async def test_a_visitor_who_became_a_user_is_a_visitor_no_more(visits: Visits) -> None:
    made = await visits.new()
    await visits.who(made.token)
    await visits.merged(made.renewal_token, "ann")
    visits.now += 1
    assert await refused(visits.who(made.token)) == "TOKEN_INVALID"
    assert await refused(visits.renewed(made.renewal_token)) == "TOKEN_INVALID"


async def test_a_visitor_becomes_one_user_and_no_user_another(visits: Visits) -> None:
    made = await visits.new()
    await visits.merged(made.token, "ann")
    assert await refused(visits.merged(made.token, "bob")) == "VISITOR_MERGED"
    assert await refused(visits.merged(made.token, "bob", user("bob"))) == "VISITOR_MERGED"
    said = {"sub": "ann", "dataStores": [STORE], "client_id": "k1.1"}
    of_user, _ = await visits.minter.sign("user+jwt", said, 60)
    assert await refused(visits.merged(of_user, "bob")) == "TOKEN_INVALID"
    for given in ("", "visitor-x"):
        with pytest.raises(InvalidArgument):
            await visits.merged(made.token, given)


async def test_a_clock_that_is_set_back_keeps_no_visitor_who_ended(visits: Visits) -> None:
    """By less than clocks may differ, so that its token is of the future for nobody."""
    made = await visits.new()
    await visits.who(made.token)
    await visits.merged(made.token, "ann")
    visits.now -= 20
    assert await refused(visits.who(made.token)) == "TOKEN_INVALID"


async def test_a_user_takes_a_visitor_for_itself_alone(visits: Visits) -> None:
    made = await visits.new()
    await visits.sessions.create(STORE, Session(), user=made.user_pseudo_id)
    assert await visits.merged(made.token, "", user("ann")) == (1, 0)
    assert await refused(visits.merged(made.token, "", user("bob"))) == "VISITOR_MERGED"


async def test_a_merge_that_reaches_beyond_the_caller_is_absent(visits: Visits) -> None:
    more = MintVisitorTokenRequest(data_stores=(OTHER,))
    made = await visits.visitors.mint(SERVER, STORE, more)
    bound = user("ann", (STORE,))
    with pytest.raises(NotFound):
        await visits.merged(made.token, "", bound)


async def test_what_a_dead_process_left_is_finished(visits: Visits) -> None:
    """The record alone decides: whoever looks next moves what it says."""
    made = await visits.new()
    mine = await visits.sessions.create(STORE, Session(), user=made.user_pseudo_id)
    merge = VisitorMerge("p", made.user_pseudo_id, "ann", (STORE,))
    assert await visits.store.merge(merge)
    assert (await visits.sessions.get(mine.name)).user_pseudo_id == made.user_pseudo_id
    assert await visits.store.due() == [], "a token that is good may begin sessions until later"
    due = visits.keys.visitor_merges()
    await visits.redis.execute(due, "ZADD", due, 0, msgspec.json.encode(merge))
    await visits.merges.finish()
    assert (await visits.sessions.get(mine.name)).user_pseudo_id == "ann"
    assert await visits.store.due() == []


async def test_tokens_of_visitors_tell_nothing_but_the_id(visits: Visits) -> None:
    made = await visits.new()
    said = jwt.decode(made.token, options={"verify_signature": False})
    assert set(said) == {"iss", "aud", "sub", "iat", "exp", "jti", "project", "dataStores"}
    with pytest.raises(PermissionDenied):
        await visits.who(made.token + "x")
    with pytest.raises(FailedPrecondition):
        await visits.merged(made.token, "ann")
        await visits.merged(made.token, "bob")


async def test_who_became_a_user_is_told_until_the_user_is_forgotten(visits: Visits) -> None:
    made, others = await visits.new(), await visits.new()
    await visits.renewed(made.renewal_token)  # which begins a record that ends
    await visits.merged(made.token, "ann")
    await visits.merged(others.token, "anna")
    merge = VisitorMerge("p", made.user_pseudo_id, "ann", (STORE,))
    key = visits.keys.visitor(f"p/{made.user_pseudo_id}")
    assert await visits.redis.execute(key, "PTTL", key) == -1
    assert [each async for each in visits.store.merged_into("p", "ann")] == [merge]
    assert [each async for each in visits.store.merged_into("q", "ann")] == []
    await visits.store.forget(merge)
    assert [each async for each in visits.store.merged_into("p", "ann")] == []
    assert await visits.redis.execute(key, "HGETALL", key) == [b"ended", b"1"]
    assert await visits.redis.execute(key, "PTTL", key) > 0
    for work in (visits.who(made.token), visits.renewed(made.renewal_token)):
        assert await refused(work) == "TOKEN_INVALID"
    assert await refused(visits.merged(made.token, "ann")) == "VISITOR_MERGED"
