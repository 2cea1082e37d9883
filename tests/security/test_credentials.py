"""What a request brings to show who sends it, wherever the official clients put it."""

from __future__ import annotations

import pytest

from service.security import credentials
from sessions.errors import InvalidArgument

BEARER = (b"authorization", b"Bearer of-a-bearer")
KEY = (b"x-goog-api-key", b"a-key")


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ([], ""),
        ([KEY], "a-key"),
        ([BEARER], "of-a-bearer"),
        ([(b"authorization", b"bearer  spaced ")], "spaced"),
        ([(b"authorization", b"Basic dTpw")], ""),
        ([BEARER, KEY], "a-key"),
        ([KEY, KEY], "a-key"),
    ],
)
def test_a_token_is_read_from_where_clients_put_it(
    headers: list[tuple[bytes, bytes]], token: str
) -> None:
    """A key goes before a bearer token, which clients with a key fill in."""
    assert credentials.read(headers, b"", "127.0.0.1").token == token


@pytest.mark.parametrize("header", [b"x-goog-api-key", b"authorization"])
def test_two_tokens_in_one_header_are_refused(header: bytes) -> None:
    """Nobody can tell which of them is meant: a proxy may have judged the other one."""
    headers = [(header, b"Bearer one"), (header, b"Bearer other")]
    with pytest.raises(InvalidArgument) as caught:
        credentials.read(headers, b"", "")
    assert caught.value.reason == "AMBIGUOUS_CREDENTIALS"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (b"", False),
        (b"alt=sse", False),
        (b"key=a", True),
        (b"a=b&access_token=c", True),
        (b"accessToken=c", True),
    ],
)
def test_a_token_in_the_address_is_noticed(query: bytes, found: bool) -> None:
    """It is never taken as the token: addresses are logged."""
    given = credentials.read([], query, "")
    assert (given.in_url, given.token) == (found, "")


def test_the_origin_and_the_address_are_told() -> None:
    """They say where a credential comes from."""
    given = credentials.read([(b"origin", b"https://a.example")], b"", "192.0.2.1")
    assert (given.origin, given.address) == ("https://a.example", "192.0.2.1")
