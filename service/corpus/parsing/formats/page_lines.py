"""Put the pieces of type on a page of PDF together to lines, and lines to areas of text.

A PDF says where each piece of text stands and how it is set, and nothing of words, lines and
paragraphs. Pieces are taken in the order in which the file draws them, which is that of reading in
nearly all of them; where they stand decides the rest. Lengths are points, *y* grows upwards.
"""

from __future__ import annotations

import bisect
import collections
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
import pypdf

_BOLD: Final = re.compile(r"bold|black|heavy|demi|(?:^|\+)(?:cm|sf|ec)(?:ss)?bx", re.I)
"""The names of bold fonts; those of TeX are called by two letters."""
_MONOSPACED: Final = re.compile(
    r"courier|mono|nimbusmon|cursor|consolas|menlo|typewriter|(?:^|\+)(?:cm|sf|ec)(?:sl)?tt|inconsolata|codepro",
    re.I,
)
_MARK: Final = re.compile(
    r"[-*+•·–◦▪●■»›→➢➔□☐☑☒✓✔❑❒\x80-\x9f\ue000-\uf8ffo]"
    r"|\((?:\d{1,2}|[A-Za-z])\)|(?:\d{1,2}|[A-Za-z])[.)]|\d{3}\."
)
"""What stands before a list item, alone. What is no letter in any font is a bullet of signs."""
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_NARROW: Final = frozenset("iljtfI.,:;'!|()[] ’‘")
_WIDE: Final = frozenset("mwMW@%—")

_SAME_LINE: Final = 0.35
"""Pieces whose base lines differ by less than this share of their size stand in one line."""
_RAISED: Final = 0.6
"""The same for a smaller piece, which may be raised or lowered."""
_GAP: Final = 2.0
"""A gap of so many sizes between two pieces of a line parts two columns."""
_STRETCHED_GAP: Final = 4.0
"""The same where a sentence seems to go on: justified lines are wider than their characters."""
_WORD_GAP: Final = 0.2
_LEADING: Final = 1.3
"""From line to line, in sizes, where the document does not show what it is there."""
_LOOSE: Final = 1.2
"""Lines further apart than this share of the usual leading are no lines of one paragraph."""
_INDENT: Final = 2.5
"""So many sizes may the first line of a paragraph be indented, or the others hang."""
_MARK_GAP: Final = 3.0
"""So many sizes may an item stand from its mark."""
_OTHER_TYPE: Final = 0.2
"""So much of its size may the type of a word differ that stands in another font."""
ENDS: Final = tuple('.!?:;。！？：；”"')
"""What a line ends with after which no sentence goes on."""
SHORT: Final = 4
"""Characters of a word, such as OR, that stands for itself in other type and heads nothing."""
_ALIGNED: Final = 1.5
_CODE: Final = 0.9
"""The share of its characters in type of one width that a line of code has."""
_WORD_OFFSET: Final = 150.0
"""Thousandths of a size by which what is between two words is wider than between two letters."""
_SENTENCE: Final = 40
"""Characters of a line that is no cell, and goes on behind a wide gap."""


class Style(NamedTuple):
    """How a line is set: the size of its type in points, and whether it is bold."""

    size: float
    bold: bool


class Line(msgspec.Struct):
    """What stands in one line of one column: from *x* to about *end*."""

    text: str
    x: float
    y: float
    end: float
    style: Style
    mark_x: float = -1.0
    """Where the mark of a list item stands before it, -1 where there is none."""
    text_x: float = -1.0
    """Where the text behind such a mark begins."""
    monospaced: int = 0
    """Characters of it whose type has one width."""

    @property
    def is_code(self) -> bool:
        """Whether it is set as what people type, or what programs say."""
        return 0 < self.monospaced >= _CODE * len(self.text)


class Area(msgspec.Struct):
    """Lines that stand under each other: a paragraph, a heading, a cell."""

    lines: list[Line]
    page: int
    turns: tuple[tuple[int, int], ...] = ()
    """The lines with which another page begins, by number, and the page."""

    @property
    def style(self) -> Style:
        """How most of it is set."""
        weights: collections.Counter[Style] = collections.Counter()
        for line in self.lines:
            weights[line.style] += len(line.text)
        return weights.most_common(1)[0][0]

    @property
    def x(self) -> float:
        """Where it begins from the left."""
        return min(line.x for line in self.lines)

    @property
    def end(self) -> float:
        """Where its longest line ends."""
        return max(line.end for line in self.lines)


def read(
    page: pypdf.PageObject, look: Callable[[Any, Any, Any, Any], None] | None = None
) -> list[Line]:
    """Return the lines of *page* in the order in which they are drawn; *look* sees each step."""
    widths: dict[int, tuple[Any, _Widths]] = {}  # with its font, whose id is its own as long
    lines: list[Line] = []
    weights: collections.Counter[Style] = collections.Counter()

    def take(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        scale = abs(tm[3] * cm[3]) or abs(tm[1] * cm[1]) or 1.0
        style = Style(round(2 * (size or 1.0) * scale) / 2, _is_bold(font))
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        if id(font) not in widths:
            widths[id(font)] = font, _Widths(font)
        known = widths[id(font)][1]
        for at, part in enumerate(text.translate(_LIGATURES).split("\n")):
            if part.strip():
                # What is before the text is white space that stands before x as well.
                piece = Line(part, x, y - at * style.size, x, style)
                piece.end = x + known.of(part.strip()) * style.size
                piece.monospaced = len(part.strip()) if known.monospaced else 0
                _append(lines, piece, weights)
            elif part and lines:
                lines[-1].text += " "

    def see(operator: Any, operands: Any, cm: Any, tm: Any) -> None:
        if operator == b"TJ":
            _part_words(operands)
        if look is not None:
            look(operator, operands, cm, tm)

    page.extract_text(visitor_text=take, visitor_operand_before=see)
    for line in lines:
        line.text = " ".join(line.text.split())
    return _with_marks([line for line in lines if line.text])


def _part_words(operands: Any) -> None:
    """Make each gap that parts two words so wide that it is taken for one, and as wide as before.

    Some programs draw no spaces. The reader takes a gap for one by the width of a space in the
    font, and has that of any letter where the font has none.
    """
    if not operands or not isinstance(operands[0], list):
        return
    shown = cast("list[Any]", operands[0])
    if any(isinstance(one, int | float) and one <= -_WORD_OFFSET for one in shown):
        shown[:] = itertools.chain.from_iterable(map(_parting, shown))


def _parting(one: Any) -> tuple[Any, ...]:
    if isinstance(one, int | float) and one <= -_WORD_OFFSET:
        return (-_WIDEST, _WIDEST + float(one))
    return (one,)


_WIDEST: Final = 10_000.0


def _is_bold(font: Any) -> bool:
    return bool(_BOLD.search(str(font.get("/BaseFont", "")))) if font else False


class _Widths:
    """How wide the characters of a font are, in sizes: as it says, or about."""

    def __init__(self, font: Any) -> None:
        self._first, self._widths = 0, list[float]()
        self._scale = _relative_width(font)
        self.monospaced = bool(font and _MONOSPACED.search(str(font.get("/BaseFont", ""))))
        try:
            self._first = int(font["/FirstChar"])
            self._widths = [float(width) / 1000 for width in font["/Widths"][:256]]
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # it says nothing of the kind, as fonts of many characters do

    def of(self, text: str) -> float:
        """Return how wide *text* is."""
        return sum(map(self._one, text))

    def _one(self, character: str) -> float:
        at = ord(character) - self._first
        if 0 <= at < len(self._widths) and self._widths[at]:
            return self._widths[at]
        if ord(character) > 0x2E80:
            return 1.0
        if character in _NARROW:
            return 0.28 * self._scale
        if character in _WIDE:
            return 0.85 * self._scale
        return (0.65 if character.isupper() else 0.5) * self._scale


def _relative_width(font: Any) -> float:
    """Return how wide a font of many characters is, 1 for what is common or not told.

    It tells its widths by the numbers of its shapes, of which the text does not know: their mean
    shows that a font is wide, or bold, and that its words are not columns.
    """
    try:
        told = font["/DescendantFonts"][0].get_object()["/W"][:_TOLD]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return 1.0
    widths = [
        float(width)
        for group in told
        if isinstance(group, list)
        for width in cast("list[Any]", group)[:_TOLD]
        if isinstance(width, int | float) and width > 0
    ]
    if not widths:
        return 1.0
    return min(max(sum(widths) / len(widths) / _COMMON_WIDTH, 0.8), 1.4)


_TOLD: Final = 1_000
_COMMON_WIDTH: Final = 530
"""Thousandths of the size: mean of the letters, figures and stops of Helvetica in a page."""


def _append(lines: list[Line], piece: Line, weights: collections.Counter[Style]) -> None:
    """Add *piece* to the last line, or begin another with it."""
    last = lines[-1] if lines else None
    if last is not None and _continues(last, piece):
        between = piece.x - last.end > _WORD_GAP * piece.style.size
        is_apart = last.text.endswith(" ") or piece.text.startswith(" ")
        if _MARK.fullmatch(last.text.strip()):
            last.text_x = piece.x
        last.text += f" {piece.text}" if between and not is_apart else piece.text
        last.end = max(last.end, piece.end)
        last.monospaced += piece.monospaced
    else:
        weights.clear()
        lines.append(piece)
        last = piece
    weights[piece.style] += len(piece.text)
    last.style = weights.most_common(1)[0][0]


def _continues(last: Line, piece: Line) -> bool:
    size = max(last.style.size, piece.style.size)
    tolerance = _SAME_LINE if piece.style.size > 0.8 * last.style.size else _RAISED
    if abs(last.y - piece.y) > tolerance * size or piece.x < last.x:
        return False
    gap = _MARK_GAP if _MARK.fullmatch(last.text.strip()) else _GAP
    is_spaced = last.text.endswith((" ", ",")) or (
        piece.text.startswith(" ") and len(last.text) >= _SENTENCE
    )
    if is_spaced and piece.text.lstrip()[:1].islower():
        gap = _STRETCHED_GAP
    return piece.x - last.end < gap * size


def _with_marks(lines: list[Line]) -> list[Line]:
    """Put marks of list items that were drawn by themselves before their items."""
    marks = [line for line in lines if _MARK.fullmatch(line.text)]
    if not marks:
        return _marked(lines)
    alone = {id(mark) for mark in marks}
    heights = sorted((line.y, at) for at, line in enumerate(lines) if id(line) not in alone)
    used: set[int] = set()
    for mark in marks:
        size = mark.style.size
        near = bisect.bisect_left(heights, (mark.y - _SAME_LINE * size, 0))
        for y, at in heights[near : near + _NEIGHBOURS]:
            line = lines[at]
            if y > mark.y + _SAME_LINE * size:
                break
            if 0 < line.x - mark.x < _MARK_GAP * size and line.mark_x < 0:
                line.text, line.mark_x, line.text_x = f"{mark.text} {line.text}", mark.x, line.x
                used.add(id(mark))
                break
    return _marked([line for line in lines if id(line) not in used])


_NEIGHBOURS: Final = 20
"""Lines at the height of a mark that are looked at: in so many columns nothing is set."""


def _marked(lines: list[Line]) -> list[Line]:
    for line in lines:
        mark, _, text = line.text.partition(" ")
        if text and line.mark_x < 0 and _MARK.fullmatch(mark) and not line.is_code:
            line.mark_x = line.x
    return lines


def read_as_typewritten(lines: list[Line]) -> None:
    """Take none of *lines*, all of a document, for code where most are in type of one width."""
    coded = sum(len(line.text) for line in lines if line.is_code)
    if 2 * coded >= sum(len(line.text) for line in lines):
        for line in lines:
            line.monospaced = 0
        _marked(lines)


def leadings(pages: Iterable[Sequence[Line]]) -> Mapping[float, float]:
    """Return how far the lines of each size of type are mostly apart."""
    seen: dict[float, collections.Counter[float]] = collections.defaultdict(collections.Counter)
    for page in pages:
        for one, after in itertools.pairwise(page):
            apart = one.y - after.y
            size = one.style.size
            if after.style.size == size and 0.9 * size < apart < 2.5 * size and _below(one, after):
                seen[size][round(apart * 2) / 2] += 1
    return {size: counts.most_common(1)[0][0] for size, counts in seen.items()}


def _below(one: Line, after: Line) -> bool:
    return abs(after.x - one.x) < one.style.size / 2


def areas(lines: Sequence[Line], leading: Mapping[float, float], page: int) -> Iterator[Area]:
    """Yield the areas that the lines of a page make."""
    area: Area | None = None
    for line in lines:
        if area is not None and _joins(area, line, leading):
            area.lines.append(line)
            continue
        if area is not None:
            yield area
        area = Area([line], page)
    if area is not None:
        yield area


def _is_as_large(one: Line, after: Line) -> bool:
    return abs(after.style.size - one.style.size) <= 0.5


def _goes_on(last: Line, line: Line) -> bool:
    """Tell whether a sentence goes on in type that is a little smaller or larger, as code is."""
    near = abs(line.style.size - last.style.size) <= _OTHER_TYPE * last.style.size
    is_set_apart = line.is_code or last.is_code or last.text.endswith(ENDS)
    return near and line.text[0].islower() and not is_set_apart


def _joins(area: Area, line: Line, leading: Mapping[float, float]) -> bool:
    last = area.lines[-1]
    size = last.style.size
    apart = last.y - line.y
    if line.mark_x >= 0 or not (_is_as_large(last, line) or _goes_on(last, line)):
        return False
    if not 0.5 * size < apart <= _LOOSE * leading.get(size, _LEADING * size):
        return False
    first = area.lines[0]
    if first.mark_x >= 0 and abs(line.x - first.text_x) < _ALIGNED:
        return True
    left = first.mark_x if first.mark_x >= 0 else first.x
    if not -_INDENT * size <= line.x - left <= _INDENT * size * (2 if first.mark_x >= 0 else 1):
        return False
    # A line in bold over one that is not heads it, unless it is full and the sentence goes on.
    is_full = last.end >= line.end - size or last.text.endswith((",", "-"))
    return line.style.bold == last.style.bold or is_full or len(line.text) <= SHORT
