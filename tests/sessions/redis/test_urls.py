"""What a Redis URL may say."""

from __future__ import annotations

import pytest

from sessions.errors import InvalidArgument
from sessions.redis.urls import DeploymentKind, NodeAddress, parse


@pytest.mark.parametrize(
    ("url", "kind", "seeds", "db", "service"),
    [
        ("redis://localhost", DeploymentKind.STANDALONE, [("localhost", 6379, "")], 0, ""),
        ("redis://h:7000/3", DeploymentKind.STANDALONE, [("h", 7000, "")], 3, ""),
        ("redis://[::1]:7000", DeploymentKind.STANDALONE, [("::1", 7000, "")], 0, ""),
        ("redis://[::1]", DeploymentKind.STANDALONE, [("::1", 6379, "")], 0, ""),
        (
            "unix:///run/my%20redis.sock?db=2",
            DeploymentKind.STANDALONE,
            [("", 0, "/run/my redis.sock")],
            2,
            "",
        ),
        (
            "redis+sentinel://a,b:1/main",
            DeploymentKind.SENTINEL,
            [("a", 26379, ""), ("b", 1, "")],
            0,
            "main",
        ),
        ("redis+sentinel://a/main/4", DeploymentKind.SENTINEL, [("a", 26379, "")], 4, "main"),
        ("redis+cluster://a:1,b:2", DeploymentKind.CLUSTER, [("a", 1, ""), ("b", 2, "")], 0, ""),
    ],
)
def test_a_url_says_where_redis_is(
    url: str, kind: DeploymentKind, seeds: list[tuple[str, int, str]], db: int, service: str
) -> None:
    deployment = parse(url)
    assert (deployment.kind, deployment.db, deployment.service) == (kind, db, service)
    assert deployment.seeds == tuple(NodeAddress(*seed) for seed in seeds)


def test_credentials_are_unquoted() -> None:
    deployment = parse("rediss://me:p%40ss%3Aword@h/0")
    assert (deployment.username, deployment.password) == ("me", "p@ss:word")


def test_tls_is_told_by_the_scheme_and_its_options() -> None:
    assert parse("redis://h").tls is None
    tls = parse("rediss+cluster://h?ssl_ca_certs=/ca.pem&ssl_cert_reqs=none").tls
    assert tls is not None
    assert (tls.ca_certs, tls.verified) == ("/ca.pem", False)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://secret@localhost",
        "redis://",
        "redis://:secret@",
        "redis://:secret@#@h",
        "redis://h:port",
        "redis://h:99999",
        "redis://h/name",
        "redis://[::1",
        "redis://a,b",
        "unix://",
        "unix://secret@host/path",
        "redis+sentinel://a",
        "redis+cluster://a/3",
        "redis://h?secret=1&colour=red",
        "rediss://h?ssl_cert_reqs=maybe",
    ],
)
def test_a_wrong_url_is_refused_by_the_name_of_its_variable(url: str) -> None:
    """And never repeated: it may hold a password."""
    with pytest.raises(InvalidArgument, match="COLLOQUY_REDIS_URL") as refusal:
        parse(url)
    assert refusal.value.reason == "BAD_REDIS_URL"
    assert "secret@" not in refusal.value.message
