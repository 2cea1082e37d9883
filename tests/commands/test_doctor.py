"""What ``colloquy doctor`` finds about Redis."""

from __future__ import annotations

import argparse
import datetime as dt
import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from service import settings as settings_module
from service import stores
from service.commands import doctor
from service.corpus.parsing import document_sources, prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.store import ApiKeyStore
from service.settings import Settings
from tests.corpus.texts import OTHER, STORE
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("wanted", "mark", "said"), [(0, "ok", ""), (1, "missing", "0 replicas, COLLOQUY_REDIS_REPL")]
)
async def test_missing_replicas_of_redis_are_found(
    own_server: Server, capsys: pytest.CaptureFixture[str], wanted: int, mark: str, said: str
) -> None:
    settings = Settings(redis_url=own_server.url, redis_replicas=wanted, port=1)
    status = await doctor.run(argparse.Namespace(), settings)
    (line,) = [
        line for line in capsys.readouterr().out.splitlines() if line.split()[1:2] == ["redis"]
    ]
    assert line.split()[0] == mark
    assert said in line
    assert status == (mark == "missing")


async def test_settings_are_shown_as_one_would_set_them(
    redis_server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLLOQUY_LLM_MODLE", "x")
    settings = Settings(
        redis_url=redis_server.url,
        port=1,
        hosts=("a.example", "b.example"),
        embeddings=True,
        lease=2.5,
        llm_api_key="secret",
    )
    await doctor.run(argparse.Namespace(), settings)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "COLLOQUY_LLM_MODLE is no setting; is COLLOQUY_LLM_MODEL meant?" in lines
    shown = dict(shlex.split(line)[0].split("=", 1) for line in lines if re.match(r"\w+=", line))
    assert shown.pop("COLLOQUY_LLM_API_KEY") == "(set)"
    assert replace(settings_module.read(shown), llm_api_key="secret") == settings


async def test_the_server_that_runs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By what it is: Valkey calls itself Redis 7.2 to clients that ask for no more."""
    await doctor.run(argparse.Namespace(), Settings(data_dir=tmp_path, port=1))
    assert re.search(r"ok +redis +Valkey 9\.\d+\.\d+ \(bundled, in ", capsys.readouterr().out)


async def test_the_numbers_of_projects_are_shown(
    redis_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(redis_url=redis_server.url, port=1, project_numbers=("colloquy=123456",))
    await doctor.run(argparse.Namespace(), settings)
    shown = [
        line for line in capsys.readouterr().out.splitlines() if "COLLOQUY_PROJECT_NUMBERS" in line
    ]
    assert len(shown) == 1
    assert "colloquy=123456" in shown[0]


@pytest.mark.parametrize(
    ("text", "mark", "said"),
    [
        ("", "ok", "no name, no contact, 0 groups of synonyms"),
        ("name = 'Riverton'\ncontact.phone = '1'", "ok", "Riverton, a contact, 0 groups"),
        ("nam = 'Riverton'", "missing", "unknown field `nam`"),
    ],
)
async def test_the_portal_file_is_checked(
    redis_server: Server,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    mark: str,
    said: str,
) -> None:
    file = tmp_path / "portal.toml"
    file.write_text(text)
    await doctor.run(
        argparse.Namespace(), Settings(redis_url=redis_server.url, port=1, portal=file)
    )
    (line,) = [
        line for line in capsys.readouterr().out.splitlines() if line.split()[1:2] == ["portal"]
    ]
    assert line.split()[0] == mark
    assert said in line


async def test_documents_that_an_earlier_version_read_are_counted(
    own_server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What was read before digests told the version, and what was changed since, counts as well."""
    settings = Settings(redis_url=own_server.url, port=1, data_dir=tmp_path)
    source = DocumentSource(id="new", data=b"Text.", mime="text/plain")
    made = prepared_documents.prepare(source, STORE, now=dt.datetime.now(dt.UTC))
    now = document_sources.digest(source, chunk_size=180)
    async with stores.opened(settings) as store:
        for name, digest in [("new", now), ("old", b"0123456789abcdef"), ("older", b"v1:x")]:
            await store.documents.put(STORE, [replace(made, id=name, digest=digest)])
        await store.documents.put(OTHER, [replace(made, digest=document_sources.RELABELLED)])
    status = await doctor.run(argparse.Namespace(), settings)
    said = capsys.readouterr().out
    assert re.search(r"old +imports +read by an earlier version: help \(2\);", said)
    assert status == 0


@pytest.mark.parametrize(("mode", "mark"), [(0o600, "ok"), (0o644, "open")])
async def test_secrets_from_files_are_named_by_their_file(
    redis_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: int, mark: str
) -> None:
    file = tmp_path / "key"
    file.write_text("s3cret\n")
    file.chmod(mode)
    given = settings_module.read({"COLLOQUY_LLM_API_KEY_FILE": str(file)})
    await doctor.run(argparse.Namespace(), replace(given, redis_url=redis_server.url, port=1))
    said = capsys.readouterr().out
    assert f"COLLOQUY_LLM_API_KEY_FILE={file}\n" in said
    assert re.search(rf"^  {mark} +secrets ", said, re.MULTILINE)
    assert "s3cret" not in said


@pytest.mark.parametrize(
    "url",
    [
        "redis://:s3cret@127.0.0.1:1/x",
        "redis://me:s3@cr/et@127.0.0.1:1/x",
        "redis://127.0.0.1:1/x?username=me&password=s3cret",
        "redis+sentinel://127.0.0.1:1/main?sentinel_password=s3cret&db=x",
    ],
)
async def test_no_password_of_redis_is_shown(capsys: pytest.CaptureFixture[str], url: str) -> None:
    """The URL is a wrong one, so that nothing is waited for."""
    assert await doctor.run(argparse.Namespace(), Settings(redis_url=url, port=1)) == 1
    said = capsys.readouterr().out
    assert "COLLOQUY_REDIS_URL" in said
    assert not re.search("s3@?c", said)


async def test_who_may_ask_is_told(own_server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    local = Settings(redis_url=own_server.url, port=1)
    public = replace(local, host="0.0.0.0")

    async def found(settings: Settings) -> str:
        await doctor.run(argparse.Namespace(), settings)
        lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
        (line,) = [line for line in lines if line[1:2] == ["keys"]]
        return f"{line[0]}: {line[2]}"

    assert "off: no API key was ever made: whoever is on this machine" in await found(local)
    assert "missing: COLLOQUY_HOST=0.0.0.0 lets others" in await found(public)
    assert "whoever reaches the port" in await found(replace(public, anonymous=True))
    async with stores.opened(local) as store:
        kept = ApiKeyStore(store.redis, store.keys)
        key, _ = await lifecycle.create(kept, Scope.SERVER, now=1.0)
        assert await found(public) == (
            "ok: API keys that hold: 1 server; without a credential nobody is let in"
        )
        assert "may become a visitor" in await found(replace(public, anonymous=True))
        await lifecycle.revoke(kept, key.id, now=2.0)
        assert "missing: no API key holds" in await found(public)
