"""What a command prints is text: nothing in it acts on a terminal."""

from __future__ import annotations

import fcntl
import logging
import os
import pty
import re
import struct
import termios
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


def test_lines_of_what_is_no_terminal_are_as_long_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "word " * 100
    terminal.say(said)
    terminal.note(said)
    assert capsys.readouterr().out == f"{said}\n  {said}\n"


def test_only_one_module_prints() -> None:
    """Ruff refuses ``print`` in every other."""
    configured = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    allowed = re.findall(r'^"(service/[^"]*)" = \[[^\]]*"T20"', configured, re.M)
    assert allowed == ["service/terminal.py"]


def shown(pieces: list[str], *, columns: int, indent: int = 0) -> list[str]:
    """Return the lines that a terminal of *columns* is sent for a text that comes in *pieces*."""
    seen, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(side, "w", encoding="utf-8") as stream, os.fdopen(seen, "rb", 0) as terminal_:
        lines = terminal.Wrapping(indent=indent, to=stream)
        for piece in pieces:
            lines.write(piece)
        lines.end()
        print(end="\4", file=stream, flush=True)
        told = b""
        while not told.endswith(b"\4"):
            told += terminal_.read(1024)
    return told[:-1].decode().split("\r\n")


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("make a backup of it", ["make a ", "backup of ", "it"]),
        ("one\ntwo three four", ["one", "two three ", "four"]),
        ("要备份数据库的", ["要备份数据", "库的"]),
        ("要备份数据。请先", ["要备份数", "据。请先"]),
        ("要备份据「数据」", ["要备份据", "「数据」"]),
        ("Redis 要备份 it", ["Redis 要备", "份 it"]),
        ("한국어 문장입니다", ["한국어 ", "문장입니다"]),
        ("e\u0301" * 9 + " a b", ["e\u0301" * 9 + " ", "a b"]),
        ("an abcdefghijklm op", ["an ", "abcdefghijklm op"]),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 99])
def test_lines_end_between_words_and_between_ideographs(
    said: str, lines: list[str], size: int
) -> None:
    """Whatever the pieces are in which it comes."""
    pieces = [said[at : at + size] for at in range(0, len(said), size)]
    assert shown(pieces, columns=10) == lines


def test_further_lines_are_indented_as_the_first() -> None:
    assert shown(["one two three"], columns=10, indent=2) == ["one two ", "  three"]
