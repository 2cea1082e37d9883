"""Find the notes, tips and warnings that dialects of Markdown mark each in their own way.

Each becomes a box of HTML around its text, which stays Markdown: ``:::note`` (Docusaurus, Pandoc,
VitePress), ``!!! note`` with what is indented under it (MkDocs), ``> [!NOTE]`` (GitHub).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_FENCE: Final = re.compile(r"[ \t]{0,3}(```+|~~~+)")
_COLONS: Final = re.compile(r"[ \t]{0,3}(:{3,})[ \t]*\{?\.?([A-Za-z-]{2,30})?[^\n]{0,200}$")
_BANG: Final = re.compile(
    r"(?:!!!|\?\?\?\+?)[ \t]+([a-z]{2,20})(?:[^\n\"]{0,100}\"([^\n\"]{0,200})\")?"
)
_GITHUB: Final = re.compile(r"^[ \t]{0,3}>[ \t]?\[!(\w{2,20})\][-+]?[ \t]*")
_INDENT: Final = re.compile(r"    |\t")
_OPEN: Final = '<div class="admonition">\n'
_CLOSE: Final = "\n</div>\n"


def as_boxes(text: str) -> str:
    """Return the Markdown *text* with its admonitions as boxes."""
    if ":::" not in text and "!!!" not in text and "???" not in text and "[!" not in text:
        return text
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    fence, boxes, is_indented = "", 0, False
    for given in lines:
        line = given
        if is_indented and line.strip():
            is_indented = bool(_INDENT.match(line))
            if not is_indented:
                yield _CLOSE
        line = _INDENT.sub("", line, count=1) if is_indented else line
        found = _FENCE.match(line)
        if found:
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        if fence or found:
            yield line
        elif found := _COLONS.match(line):
            boxes += 1 if found[2] else -1 if boxes else 0
            yield _OPEN if found[2] else _CLOSE
        elif not is_indented and (found := _BANG.match(line)):
            is_indented = True
            yield f"{_OPEN}\n**{found[2]}**\n" if found[2] else _OPEN
        else:
            yield _GITHUB.sub(_github, line, count=1)
    yield from [_CLOSE] * (boxes + is_indented)


def _github(marker: re.Match[str]) -> str:
    return f"> **{marker[1].capitalize()}:** "
