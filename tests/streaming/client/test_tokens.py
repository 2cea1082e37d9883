"""Which token a client shows next, and when it gives up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.errors import PermissionDenied, Unavailable
from streaming.client.tokens import REFUSALS, Tokens
from streaming.protocol import close_codes

pytestmark = pytest.mark.anyio


async def provider() -> str:
    return "token"


async def test_a_provider_is_asked_for_each_token() -> None:
    given = iter(["one", "two"])

    async def provide() -> str:
        return next(given)

    tokens = Tokens(provide)
    assert [await tokens.next(), await tokens.next()] == ["one", "two"]
    assert [await Tokens("key").next(), await Tokens(None).next()] == ["key", None]


async def test_a_provider_that_fails_counts_as_away() -> None:
    async def fail() -> str:
        raise KeyError("access_token")

    async def forbid() -> str:
        raise PermissionDenied("log in again", reason="LOGGED_OUT")

    with pytest.raises(Unavailable):
        await Tokens(fail).next()
    with pytest.raises(PermissionDenied):
        await Tokens(forbid).next()


@given(st.floats(0.01, 1e6))
def test_a_token_is_renewed_before_it_ends(seconds: float) -> None:
    pause = Tokens(provider).renew_after(seconds)
    assert pause is not None
    assert 0 < pause < seconds * 0.9


def test_what_has_no_other_token_or_no_end_is_not_renewed() -> None:
    assert Tokens("key").renew_after(600.0) is None
    assert Tokens(provider).renew_after(None) is None


@given(st.lists(st.booleans(), max_size=20))
def test_a_client_gives_up_after_refusals_in_a_row_only(good: list[bool]) -> None:
    tokens, row = Tokens(provider), 0
    for was_good in good:
        row = 0 if was_good else row + 1
        assert tokens.may_come_back(4401, was_good=was_good) == (row < REFUSALS)
        if row == REFUSALS:
            break


def test_a_key_that_was_good_is_tried_once_more() -> None:
    tokens = Tokens("key")
    assert tokens.may_come_back(4401, was_good=True)
    assert not tokens.may_come_back(4401, was_good=False)


def test_who_has_no_token_does_not_come_back_to_where_one_is_needed() -> None:
    late = close_codes.AUTH_TIMEOUT.code
    assert not Tokens(None).may_come_back(late, was_good=False)
    assert Tokens("key").may_come_back(late, was_good=False)


@pytest.mark.parametrize("code", [*close_codes.CLOSES, 1006])
def test_all_other_codes_mean_what_the_table_says(code: int) -> None:
    if code not in (4401, 4408):
        may = Tokens(provider).may_come_back(code, was_good=False)
        assert may == close_codes.come_back(code)
