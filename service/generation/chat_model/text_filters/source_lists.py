"""Take out the list of sources that a model writes below its answer: the references are told apart.

A machine without I/O; how the text was cut into pieces changes nothing. What follows a line break
is held back as long as it may be such a list, and told where it turns out to be none.
"""

from __future__ import annotations

import re
from typing import Final

_HEADINGS: Final = (
    *("sources", "source", "references", "citations", "sources used", "sources cited"),
    *("fuentes", "referencias", "références", "quellen", "quellenangaben", "fonti", "fontes"),
    *("referências", "bronnen", "来源", "参考资料", "参考来源"),
)
_MARKUP: Final = " \t*_#-"
_NUMBER: Final = r"[\[【]\^?\d{1,2}[\]】]"
_ENTRY: Final = re.compile(rf"[ \t]*(?:[-*•][ \t]*)?{_NUMBER}.*")
_BEGINS_ENTRY: Final = re.compile(r"[ \t]*(?:[-*•][ \t]*)?(?:[\[【](?:\^?\d{0,2})?)?")
_NUMBERS: Final = re.compile(rf"(?:{_NUMBER}[ \t,;]*)*")
_BEGINS_NUMBERS: Final = re.compile(rf"(?:{_NUMBER}[ \t,;]*)*(?:[\[【]\^?\d{{0,2}})?")
_SPACE: Final = re.compile(r"\s*")
_LONGEST: Final = 4_000
"""Characters of such a list: what is longer is told."""


class SourceListFilter:
    """Passes a text on without a list of sources at its end."""

    def __init__(self) -> None:
        self._held = ""
        self._told = False

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        self._held += text
        return self._pass(last=False)

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        return self._pass(last=True)

    def _pass(self, *, last: bool) -> str:
        held, at = self._held, 0
        while at < len(held):
            if held[at] != "\n":
                line = held.find("\n", at)
                end = line if line > 0 else len(held)
            else:
                start = next(_SPACE.finditer(held, at)).end()
                is_short = len(held) - at <= _LONGEST
                if self._told and is_short and _is_list(held[start:], last=last):
                    break
                # One character more than the white space: what follows it begins no line.
                end = min(start + 1, len(held))
            self._told = self._told or not held[at:end].isspace()
            at = end
        self._held = "" if last else held[at:]
        return held[:at]


def _is_list(text: str, *, last: bool) -> bool:
    """Tell whether *text* is a list of sources, or where it is not the *last* may become one."""
    first, *lines = text.split("\n")
    ends = last or bool(lines)
    heading, colon, rest = first.replace("：", ":").strip(_MARKUP).partition(":")
    heading, rest = heading.strip(_MARKUP).casefold(), rest.strip(_MARKUP)
    if not ends and not colon:
        return any(one.startswith(heading) for one in _HEADINGS)
    if heading not in _HEADINGS or not (colon or first.startswith(("#", "*", "_"))):
        return False
    if not (_NUMBERS if ends else _BEGINS_NUMBERS).fullmatch(rest):
        return False
    *whole, open_line = lines or [""]
    entries = [line for line in whole if line.strip()]
    if open_line.strip() and (last or not _BEGINS_ENTRY.fullmatch(open_line)):
        entries.append(open_line)
    return all(map(_ENTRY.fullmatch, entries)) and bool(entries or rest or not last)
