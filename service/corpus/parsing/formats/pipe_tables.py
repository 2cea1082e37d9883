"""Make tables of CommonMark of those that other dialects of Markdown read without a second line.

Kramdown, MultiMarkdown and wikis take lines between bars for a table, whether or not a line of
dashes follows the first; CommonMark would make one paragraph of them, with all their bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ROW: Final = re.compile(r"[ \t]{0,3}\|(?:[^\n]{0,5000}\|)[ \t]*$")
_DASHES: Final = re.compile(r"[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_FENCE: Final = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_BAR: Final = re.compile(r"(?<!\\)\|")


def completed(text: str) -> str:
    """Return the Markdown *text* with a line of dashes in each table."""
    return "\n".join(_lines(text.split("\n"))) if "|\n" in text.replace("\r", "") else text


def _lines(lines: list[str]) -> Iterator[str]:
    is_code = False
    for at, line in enumerate(lines):
        is_code ^= bool(_FENCE.match(line))
        begins = not is_code and _ROW.match(line) and not (at and _ROW.match(lines[at - 1]))
        after = lines[at + 1] if at + 1 < len(lines) else ""
        if begins and _ROW.match(after) and not _DASHES.match(line) and not _DASHES.match(after):
            columns = len(_BAR.findall(line)) - 1
            if at and lines[at - 1].strip():
                yield ""  # a table does not interrupt a paragraph everywhere
            if re.search(r"\d", line):  # it is no header
                yield "|" + "   |" * columns
                yield "|" + "---|" * columns
                yield line
            else:
                yield line
                yield "|" + "---|" * columns
            continue
        yield line
