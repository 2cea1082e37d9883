"""What browsers are told of who may read."""

from __future__ import annotations

from service.security import cors

FRIEND = b"https://help.example.org"


def told(*readers: str, **request: bytes) -> dict[bytes, bytes]:
    headers = [(name.replace("_", "-").encode(), value) for name, value in request.items()]
    return dict(cors.headers(headers, readers))


def test_readers_are_named_and_strangers_are_not() -> None:
    assert told(FRIEND.decode(), origin=FRIEND)[b"access-control-allow-origin"] == FRIEND
    for stranger in (b"https://evil.example", b"null", FRIEND + b".evil.example", b""):
        assert b"access-control-allow-origin" not in told(FRIEND.decode(), origin=stranger)


def test_where_nobody_reads_nothing_is_told() -> None:
    assert told(origin=FRIEND) == {}


def test_two_origins_are_nobodys() -> None:
    for pair in ((FRIEND, b"https://evil.example"), (b"https://evil.example", FRIEND)):
        given = [(b"origin", origin) for origin in pair]
        assert list(cors.headers(given, [FRIEND.decode()])) == [(b"vary", b"Origin")]


def test_caches_are_told_that_origins_differ_whoever_asks() -> None:
    """Else a friend gets from a cache what a stranger was sent, without leave to read it."""
    for request in ({"origin": FRIEND}, {"origin": b"https://evil.example"}, {}):
        assert told(FRIEND.decode(), **request)[b"vary"] == b"Origin"


def test_everybody_is_everybody() -> None:
    assert told("*", origin=FRIEND)[b"access-control-allow-origin"] == b"*"


def test_a_friend_reads_how_long_to_wait() -> None:
    """Browsers keep all but a few headers from pages that are not told of them."""
    for reader in ("*", FRIEND.decode()):
        exposed = told(reader, origin=FRIEND)[b"access-control-expose-headers"]
        assert exposed == b"RateLimit, RateLimit-Policy, Retry-After"
    assert b"access-control-expose-headers" not in told(
        FRIEND.decode(), origin=b"https://e.example"
    )


def test_a_friend_learns_before_it_sends_what_it_may() -> None:
    asked = {
        "origin": FRIEND,
        "access_control_request_method": b"PATCH",
        "access_control_request_headers": b"content-type,last-event-id",
    }
    answer = told(FRIEND.decode(), **asked)
    assert b"PATCH" in answer[b"access-control-allow-methods"]
    assert answer[b"access-control-allow-headers"] == b"content-type,last-event-id"
    asked["origin"] = b"https://evil.example"
    assert set(told(FRIEND.decode(), **asked)) == {b"vary"}
