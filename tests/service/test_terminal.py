"""What a command prints is text: nothing in it acts on a terminal."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from service import terminal


def test_a_line_of_the_log_is_text_as_well() -> None:
    """What a library logs where nobody configured it, such as about a damaged file."""
    terminal.prepare()
    assert logging.lastResort is not None
    record = logging.makeLogRecord({"msg": "damaged\x1b[2J"})
    assert logging.lastResort.format(record) == r"damaged\x1b[2J"


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x202E, 0x2066, 0xFEFF])
def test_a_character_that_a_terminal_acts_on_is_written_out(code: int) -> None:
    """Tabs and line feeds are text, but not in a line."""
    character = chr(code)
    written = character if character in "\t\n" else character.encode("unicode_escape").decode()
    assert terminal.text(f"a{character}b") == f"a{written}b"
    assert terminal.line(f"a{character}b") == f"a{character.encode('unicode_escape').decode()}b"


@pytest.mark.parametrize("said", ["Grüß Gott – 12 €", "می‌خواهم", "👩‍👩‍👧", "שלום\u200f!", "中文"])
def test_what_people_write_stays_as_it_is(said: str) -> None:
    assert terminal.line(said) == terminal.text(said) == said


def test_only_one_module_prints() -> None:
    """Ruff refuses ``print`` in every other."""
    configured = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    allowed = re.findall(r'^"(service/[^"]*)" = \[[^\]]*"T20"', configured, re.M)
    assert allowed == ["service/terminal.py"]
