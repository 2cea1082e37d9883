"""What ``colloquy keys`` prints, keeps and refuses, on a Redis of its own."""

from __future__ import annotations

import re

import pytest

from service.__main__ import parser
from service.privacy.audit_log import AuditLog
from service.security.api_keys import key_text
from service.security.api_keys.store import ApiKeyStore
from service.settings import Settings
from sessions.errors import FailedPrecondition, InvalidArgument, NotFound
from sessions.redis import connection
from sessions.redis.keys import Keys
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

STORE = "projects/town/locations/global/collections/default_collection/dataStores/help"


class Terminal:
    def __init__(self, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
        self._settings = Settings(redis_url=server.url, project_numbers=("town=123456",))
        self._capsys = capsys

    async def keys(self, *arguments: str) -> tuple[str, str]:
        """Return what a command printed on standard output, and beside it."""
        called = parser().parse_args(["keys", *arguments])
        assert await called.command(called, self._settings) == 0
        out = self._capsys.readouterr()
        return out.out.strip(), out.err


@pytest.fixture
def terminal(own_server: Server, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(own_server, capsys)


async def test_a_key_from_its_making_to_its_end(terminal: Terminal, own_server: Server) -> None:
    text, beside = await terminal.keys("create", "--scope", "server", "--label", "help desk")
    key_id = key_text.id_in(text)
    assert key_text.is_whole(text), "standard output is the key alone"
    assert key_id in beside
    assert text not in beside
    renewed, _ = await terminal.keys("rotate", key_id, "--overlap", "1h")
    assert key_text.id_in(renewed) == key_id
    assert renewed != text
    listed, _ = await terminal.keys("list")
    assert re.search(rf"{key_id}  server +holds  .*never used.*all projects  help desk", listed)
    assert text not in listed
    said, _ = await terminal.keys("revoke", renewed)
    assert f"revoked {key_id}" in said
    listed, _ = await terminal.keys("list")
    assert re.search(rf"{key_id}  server +revoked", listed)
    with pytest.raises(FailedPrecondition, match="is revoked; make another"):
        await terminal.keys("rotate", key_id)
    async with connection.connect(own_server.url) as redis:
        acts = [each async for each in AuditLog(redis, Keys()).read()]
    assert [each.entry.method.split()[-1] for each in acts] == ["create", "rotate", "revoke"]
    assert {each.entry.resource for each in acts} == {f"key:{key_id}"}


async def test_a_key_is_bound_to_what_it_may_reach(terminal: Terminal, own_server: Server) -> None:
    corpus = "projects/123456/locations/us/ragCorpora/7"
    await terminal.keys(
        *("create", "--scope", "integration", "--expires", "90d", "--project", "123456"),
        *("--data-store", "help", "--data-store", STORE, "--data-store", corpus),
    )
    async with connection.connect(own_server.url) as redis:
        (key,) = (await ApiKeyStore(redis, Keys()).read()).keys
    assert key.project == "town"
    assert key.data_stores == (STORE, "projects/town/locations/us/ragCorpora/7")
    assert key.expires - key.created == 90 * 86_400


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--data-store", STORE, "--project", "other"), "one project, not of other and town"),
        (("--data-store", "Two Words"), "--data-store"),
        (("--data-store", "projects/town"), "--data-store"),
        (("--project", "a/b"), "--project"),
        (("--project", ".."), "--project"),
        (("--expires", "0d"), "--expires"),
        (("--label", "x" * 65), "--label"),
    ],
)
async def test_what_makes_no_sense_makes_no_key(
    terminal: Terminal, arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InvalidArgument, match=said):
        await terminal.keys("create", "--scope", "server", *arguments)
    assert await terminal.keys("list") == ("0 keys", "")


async def test_an_id_that_nobody_has_is_said_and_no_secret_repeated(terminal: Terminal) -> None:
    with pytest.raises(NotFound, match="no key 'aaaaaaaaaa'"):
        await terminal.keys("revoke", "aaaaaaaaaa")
    with pytest.raises(InvalidArgument) as refused:
        await terminal.keys("revoke", "colloquy_s_mistyped")
    assert "mistyped" not in refused.value.message


@pytest.mark.parametrize("given", ["90", "d", "-1d", "1w", "1.5h", "90 d", "9999999999d"])
def test_a_duration_has_a_number_and_a_unit(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args(["keys", "create", "--scope", "server", f"--expires={given}"])
    assert "give a duration such as 90d" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["3651d", "999999999d", "999999999s"])
def test_a_duration_is_ten_years_at_most(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args(["keys", "rotate", "aaaaaaaaaa", f"--overlap={given}"])
    assert "give 3650d at most" in capsys.readouterr().err


async def test_a_key_is_revoked_though_redis_has_no_memory_left(
    terminal: Terminal, own_server: Server
) -> None:
    text, _ = await terminal.keys("create", "--scope", "server")
    own_server.call("CONFIG", "SET", "maxmemory", "1")
    said, _ = await terminal.keys("revoke", text)
    assert said.startswith("revoked")
    listed, _ = await terminal.keys("list")
    assert "revoked" in listed


def test_an_unknown_scope_is_told_which_scopes_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args(["keys", "create", "--scope", "banana"])
    assert "'admin', 'server', 'read-only', 'integration'" in capsys.readouterr().err.replace(
        "\n", " "
    )
