"""What others wrote reaches the terminal of an operator as text: it cannot drive it."""

from __future__ import annotations

import argparse
import re
import secrets
from pathlib import Path
from typing import Final

import pytest

from service import stores
from service.__main__ import main
from service.commands import doctor, import_documents, sessions, short_names
from service.settings import Settings
from sessions.resources.sessions import Query, Session, Turn
from tests import doubles
from tests.doubles import OpenAIServer
from tests.redis_servers import Server
from tests.whole.processes import services

pytestmark = pytest.mark.anyio

CLEAR: Final = "\x1b[2J\x1b]0;owned\x07"
"""Clears the screen and renames the window."""
DRIVEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
STORE: Final = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/library"
)


def assert_harmless(output: str, *, shows: str) -> None:
    """Nothing in *output* acts on a terminal, and yet it tells that something was there."""
    assert not DRIVEN.search(output), ascii(output)
    assert shows in output, ascii(output)


async def test_a_file_name_and_a_model_drive_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What chat prints is that of a real process, whose output is no terminal."""
    pages = tmp_path / "pages"
    pages.mkdir()
    text = f"# Loans{CLEAR}\n\n## How long may I keep a book?\n\nA book may be kept four weeks.\n"
    (pages / f"loans{CLEAR}.md").write_text(text, "utf-8")
    (pages / f"broken{CLEAR}\n3 imported.pdf").write_bytes(b"no PDF")
    (pages / "broken\udcff\u202e.docx").write_bytes(b"no DOCX")
    async with OpenAIServer() as model:
        configured = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with services(tmp_path / "data", tuple(configured.items())) as (service,):
            arguments = argparse.Namespace(
                path=pages, data_store="library", base_uri="", delete_missing=False
            )
            assert await import_documents.run(arguments, Settings(data_dir=tmp_path / "data")) == 1
            output = "".join(capsys.readouterr())
            assert_harmless(output, shows=r"broken\x1b[2J\x1b]0;owned\x07\n3 imported.pdf")
            assert r"broken\xff\u202e.docx" in output
            # The sequence comes in pieces, as a model may send it.
            said = ["Four weeks ", "[1].", " \x1b", "[2J\x9b3", "1m\u202e", "\rGone."]
            model.script(doubles.chunks([doubles.data(doubles.event(piece)) for piece in said]))
            asked = ("chat", "How long may I keep a book?", "--data-store", "library")
            async with service.in_a_thread():
                _, output = await service.command(*asked)
            assert_harmless(output, shows=r"\x1b[2J\x9b31m\u202e\rGone.")
            assert r"<loans\x1b[2J" in output


async def test_what_is_stored_and_configured_is_shown_as_text(
    module_redis: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(
        redis_url=module_redis.url,
        llm_base_url=f"http://127.0.0.1:1/{CLEAR}",
        llm_model=f"m{CLEAR}",
        port=1,
    )
    await doctor.run(argparse.Namespace(), settings)
    assert_harmless(capsys.readouterr().out, shows=r"m\x1b[2J")
    parent = short_names.data_store(f"t{secrets.token_hex(6)}")
    async with stores.opened(settings) as store:
        turn = Turn(query=Query(text=f"How{CLEAR}?"))
        session = Session(display_name=f"Mine{CLEAR}\n7 sessions", turns=(turn,))
        made = await store.sessions.create(parent, session)
    asked = argparse.Namespace(data_store=parent, show=made.name, delete="", user="")
    await sessions.run(asked, settings)
    shown = capsys.readouterr().out
    assert_harmless(shown, shows=r"Mine\x1b[2J\x1b]0;owned\x07\n7 sessions")
    assert r"> How\x1b[2J" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", f"/no{CLEAR}", f"/nor{CLEAR}", "--data-store", "library"],
        ["import", f"/no{CLEAR}", "--data-store", f"{STORE}{CLEAR}"],
        ["chat", "why?", "--session", f"1{CLEAR}"],
        ["sessions", "--show", f"{STORE}/sessions/1{CLEAR}"],
        [f"serve{CLEAR}"],
    ],
)
def test_no_complaint_drives_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["colloquy", *arguments])
    try:
        status = main()
    except SystemExit as left:
        status = left.code
    assert status in {1, 2}
    assert_harmless("".join(capsys.readouterr()), shows="x1b[2J")
