r"""Print what others wrote, such as models, documents, file names and servers, as text and no more.

A terminal acts on control characters: an escape sequence in the title of a document clears the
screen, renames the window or answers for the user, and a bidirectional override shows another text
than is there. So whatever a command prints goes through here, where such characters become what
Python would write for them: ``\x1b``.
"""

from __future__ import annotations

import io
import logging
import os
import re
import sys
import unicodedata
from typing import Final, TextIO

_ACTED_ON: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but for tab and line feed, DEL, C1
    "\u2028-\u202e\u2066-\u206f"  # line and paragraph separators, embeddings, overrides, isolates
    "\ud800-\udfff"  # bytes of a file name that are no UTF-8, which nothing can print
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # unseen
)
_IN_TEXT: Final = re.compile(f"[{_ACTED_ON}]")
_IN_LINE: Final = re.compile(f"[{_ACTED_ON}\t\n]")
_IDEOGRAPHS: Final = "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_OPENING: Final = r"(\[{“‘「『（【〈《〔"
_CLOSING: Final = r".,:;!?)\]}”’、。，．：；？！」』）】〉》〕ー…"
_WORD_ENDS: Final = re.compile(
    r"(\n+|[^\S\n]+"
    # Around ideographs, which have no spaces, but not before or behind what leans on them.
    rf"|(?<=[{_IDEOGRAPHS}])(?<![{_OPENING}])(?=[^\s{_CLOSING}])"
    rf"|(?<=[^\s{_OPENING}])(?=[{_IDEOGRAPHS}])(?![{_CLOSING}]))"
)
_UNSEEN: Final = frozenset(("Mn", "Me", "Cf"))
"""Categories of characters that take no column, such as accents that are added to a letter."""
_FAINT: Final = "\x1b[2m"
_PLAIN: Final = "\x1b[0m"


def prepare() -> None:
    """Make the streams of a command safe; call it first.

    What libraries log without a handler is shown as text, and letters that the encoding of standard
    output does not have are written out.
    """
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Formatter())
    stream: object = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


class _Formatter(logging.Formatter):
    """Formats a record of the log for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return text(super().format(record))


def text(given: str) -> str:
    """Return *given* for a terminal, with its lines and tabs."""
    return _IN_TEXT.sub(_escaped, given)


def line(given: str) -> str:
    """Return *given* for a terminal, as one line."""
    return _IN_LINE.sub(_escaped, given)


def say(given: str = "", *, to: TextIO | None = None) -> None:
    """Print *given* as a line of its own, on standard output or *to* another stream."""
    lines = Wrapping(to=to)
    lines.write(line(given))
    lines.end()
    print(file=to, flush=True)


def note(given: str) -> None:
    """Print *given* as an indented line, faint where that shows."""
    is_seen = sys.stdout.isatty()
    print(f"{_FAINT}  " if is_seen else "  ", end="")
    lines = Wrapping(indent=2)
    lines.write(line(given))
    lines.end()
    print(_PLAIN if is_seen else "", flush=True)


def write(given: str) -> None:
    """Print *given* where the last text ended, with its lines and tabs."""
    print(text(given), end="", flush=True)


class Wrapping:
    """Prints text that comes in pieces, and breaks lines of a terminal between words.

    A word is kept back until its end has come; `end` prints the last one.
    """

    def __init__(self, *, indent: int = 0, to: TextIO | None = None) -> None:
        """Begin behind *indent* columns, where every further line begins, too."""
        self._stream: Final = sys.stdout if to is None else to
        is_seen = self._stream.isatty()
        self._width = os.get_terminal_size(self._stream.fileno()).columns if is_seen else 0
        """Columns; 0 leaves lines as long as they are."""
        self._indent: Final = indent
        self._column = indent
        self._word = ""

    def write(self, given: str) -> None:
        """Print *given* behind what came before."""
        if not self._width:
            print(text(given), end="", file=self._stream, flush=True)
            return
        *whole, self._word = _WORD_ENDS.split(self._word + given)
        for part in whole:
            self._print(part)

    def end(self) -> None:
        """Print what was kept back."""
        if self._word:
            self._print(self._word)
            self._word = ""

    def _print(self, part: str) -> None:
        shown = text(part)
        columns = sum(map(_columns, shown))
        if "\n" in part:
            self._column = columns = 0
        elif self._column > self._indent and self._column + columns > self._width:
            print(f"\n{' ' * self._indent}", end="", file=self._stream)
            self._column = self._indent
            if part.isspace():
                return
        print(shown, end="", file=self._stream, flush=True)
        self._column += columns
        if self._column > self._width:  # a word that is longer than a line; the terminal breaks it
            self._column %= self._width


def _columns(character: str) -> int:
    if unicodedata.category(character) in _UNSEEN:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def replace(given: str) -> None:
    """Print *given* on standard error over the line that stands there."""
    print(f"\r{line(given)}", end="", file=sys.stderr, flush=True)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
