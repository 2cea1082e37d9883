"""Tell the headings of a PDF by how they are set: larger or bolder than most of the text."""

from __future__ import annotations

import collections
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Final

from service.corpus.parsing.formats.page_lines import SHORT, Area, Line, Style

_LARGER: Final = 1.12
"""A heading is set in type so much larger than most of the text."""
_MUCH_LARGER: Final = 1.4
"""In type so much larger, a whole sentence may be a heading."""
_SMALLER: Final = 0.9
"""Bold type of at least this share of the usual size may be a heading."""
_RARE: Final = 0.3
"""What sets more than this share of the text, or of a full page, sets no headings."""
_FULL_PAGE: Final = 20
"""Lines of a page that shows what is common on it."""
_LENGTH: Final = 140
_LETTERS: Final = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff]")
_BULLET: Final = re.compile(r"[^\w\s(¿¡«\"'“‘]\s")
_SENTENCES: Final = re.compile(r"[^\W\d_]{3}[.!?]\s+[^\W\d_]{2}.{12}")
"""Where one sentence has ended and another is on its way."""


class HeadingStyles:
    """The styles that set headings in one document, and the level of each."""

    def __init__(self, pages: Sequence[Sequence[Line]]) -> None:
        weights = _weights(itertools.chain.from_iterable(pages))
        self._usual = weights.most_common(1)[0][0] if weights else Style(0.0, bold=False)
        above = sorted(filter(self._stands_out, _common(weights, above=False)), reverse=True)
        self._levels = {style: min(level, 6) for level, style in enumerate(above, start=1)}
        self._common = [
            _common(_weights(lines), above=True) if len(lines) >= _FULL_PAGE else set[Style]()
            for lines in pages
        ]

    def _stands_out(self, style: Style) -> bool:
        is_bolder = style.bold and not self._usual.bold
        return style.size > self._usual.size * _LARGER or (
            is_bolder and style.size >= self._usual.size * _SMALLER
        )

    def level(self, area: Area) -> int:
        """Return the level of the heading that *area* is, 0 if it is none."""
        style = area.lines[0].style
        is_set_so = style in self._levels and style not in self._common[area.page - 1]
        if not is_set_so or any(line.style != style for line in area.lines):
            return 0
        text = " ".join(line.text for line in area.lines)
        return self._levels[style] if self._reads_so(text, style) else 0

    def _reads_so(self, text: str, style: Style) -> bool:
        """Tell whether *text* may be a heading by what it says."""
        if len(text) > (2 * _LENGTH if text.endswith("?") else _LENGTH):
            return False
        if text.endswith((".", "。")) and style.size < _MUCH_LARGER * self._usual.size:
            return False
        is_joint = len(text) <= SHORT and style.size <= _LARGER * self._usual.size
        return bool(_LETTERS.search(text)) and not (
            is_joint or text.endswith((",", ";")) or _SENTENCES.search(text) or _BULLET.match(text)
        )


def _weights(lines: Iterable[Line]) -> collections.Counter[Style]:
    """Return how many characters are set in each style."""
    weights: collections.Counter[Style] = collections.Counter()
    for line in lines:
        weights[line.style] += len(line.text)
    return weights


def _common(weights: collections.Counter[Style], *, above: bool) -> set[Style]:
    """Return the styles that set more than their share, or those that do not."""
    bound = _RARE * weights.total()
    return {style for style, weight in weights.items() if (weight > bound) is above}
