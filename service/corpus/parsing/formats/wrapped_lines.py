"""Join the lines of plain text that was broken to fit a width: a paragraph is one line again.

Else a sentence would end where a line does, and an answer begin in its middle. A line was broken
where the first word of the next one did not fit any more. A text of which not most lines are so
keeps its own; and what is set apart by its indent under a line that ends in "::", in fences,
between scissors or as the rows of a table keeps them in every text.
"""

from __future__ import annotations

import collections
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from service.blocks import BlockKind

_NARROW: Final = 55
_WIDE: Final = 120
"""Characters between which the width lies to which people, and their editors, break lines."""
_FEW: Final = 5
"""Lines in the middle of paragraphs that show a width at least,"""
_SHARE: Final = 0.7
"""of which this share must have been broken at it: of manuals it is .74 to 1, of pages whose lines
are paragraphs, verses or addresses at most .5."""
_SLACK: Final = 10
"""Characters short of the width at which a line counts as full: an author broke it by hand."""
_WITHIN: Final = 0.85
"""Share of the lines that are within the width: code and addresses are not."""
_MARK: Final = re.compile(
    r"[-*+•·–◦▪]\s|\(?(?:\d{1,3}|[A-Za-z#])[.)]\s|\.\. |:\w[^:\n]{0,40}:\s|"
    r"#{1,6}\s|[|>+$]|`{3}|~{3}|\W{3,}$|_{3,}$"
)
"""What begins a line of its own: an item, a field, a heading, a row, a quotation, a rule."""
_COLUMNS: Final = re.compile(r"\S {3,}\S")
"""What stands so far apart in a line stands under what is above it."""
_EMPHASIS: Final = "*_`(\"'“:["
_RULE: Final = re.compile(r"([^\w\s])\1{2,}$")
_ENDS: Final = tuple(".!?:;。！？：")
_FENCES: Final = ("```", "~~~")
_CUT: Final = re.compile(r"(?:[*+-]\s+)?[-=]{2,}\s?[%8][<>]\s?[-=]{2,}")
"""The scissors between which authors of letters and wikis set what is to be copied."""


def cut_lines(lines: Iterable[str]) -> bool:
    """Tell whether *lines* hold scissors that are all closed again, so that they part code."""
    count = sum(is_cut(line) for line in lines)
    return count > 0 and count % 2 == 0


def is_cut(line: str) -> bool:
    """Tell whether *line* is a row of dashes with scissors on it."""
    bare = line.strip()
    return ("<" in bare or ">" in bare) and bool(_CUT.fullmatch(bare))


def unwrapped(text: str) -> str:
    """Return *text* with the lines of each paragraph joined, or as it is where none was broken."""
    lines = text.split("\n")
    width = _width(lines)
    return "\n".join(_joined(lines, width)) if width else text


def parted(text: str) -> Iterator[tuple[BlockKind, str]]:
    """Yield what *text* is made of that keeps its lines as code does, and is code mostly.

    But manuals are set like that as a whole. Where most of it is paragraphs of sentences and items
    of lists, whose lines were broken at a width, these come joined, and the rest as it is.
    """
    pieces = [list(_read(piece)) for piece in _BLANK.split(text)]
    told = sum(len(said) for piece in pieces for kind, said in piece if kind is not BlockKind.CODE)
    if told < _MOST * len(" ".join(text.split())):
        yield BlockKind.CODE, text
        return
    everything = itertools.chain.from_iterable(pieces)
    for kind, run in itertools.groupby(everything, key=lambda one: one[0]):
        if kind is BlockKind.CODE:
            yield kind, "\n\n".join(said for _, said in run)
        else:
            yield from run


def _read(piece: str) -> Iterator[tuple[BlockKind, str]]:
    """Yield the paragraph or the items that *piece*, between blank lines, is; else all as code."""
    lines = piece.strip("\n").split("\n")
    margin = _indent(lines[0])
    heads = [n for n, line in enumerate(lines) if _indent(line) == margin and _begins(line)]
    if heads[:1] != [0]:
        yield (BlockKind.TEXT, " ".join(piece.split())) if _is_prose(lines) else _as_code(piece)
        return
    items = [
        " ".join(" ".join(lines[start:end]).split())
        for start, end in itertools.pairwise((*heads, len(lines)))
    ]
    if any(_indent(line) < margin for line in lines) or not all(map(_is_item, items)):
        yield _as_code(piece)
    else:
        yield from ((BlockKind.ITEM, item) for item in items)


def _as_code(piece: str) -> tuple[BlockKind, str]:
    return BlockKind.CODE, piece


def _is_prose(lines: list[str]) -> bool:
    """Tell whether *lines* are sentences: of words, to their end, broken where a line is full."""
    text = " ".join(" ".join(lines).split())
    if not text[:1].isupper() or text[-1] not in _ENDING or not _has_words(text):
        return False
    full = (_with_next(len(one), after) > _NARROW for one, after in itertools.pairwise(lines))
    return len({_indent(line) for line in lines}) == 1 and all(full)


def _is_item(text: str) -> bool:
    return _LISTED.match(text) is not None and _has_words(text)


def _has_words(text: str) -> bool:
    words = text.split()
    letters = sum(word.strip("(),.:\"'").isalpha() for word in words)
    return letters >= max(_WORDS, _OF_WORDS * len(words))


_BLANK: Final = re.compile(r"\n(?:[^\S\n]*\n)+")
_LISTED: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?\d{1,3}[.)])\s")
_ENDING: Final = ".!?:。！？："
_WORDS: Final = 4
"""Words of a sentence at least: a greeting of a program, a comment have fewer."""
_OF_WORDS: Final = 0.7
"""The share of the words that have nothing but letters."""
_MOST: Final = 0.5
"""Of a text that is set like code as a whole this share is sentences at least."""


def _width(lines: list[str]) -> int:
    """Return from how many characters on lines of paragraphs were broken, 0 if most were not."""
    lines = [line for line, is_code in zip(lines, _between_cuts(lines), strict=True) if not is_code]
    margin = _margin(lines)
    inner = [
        (len(line), _with_next(len(line), after))
        for line, after in itertools.pairwise(lines)
        if line.strip()
        and after.strip()
        and _indent(line) == _indent(after) == margin
        and not _begins(line)
        and not _begins(after)
    ]
    if len(inner) < _FEW:
        return 0
    width = sorted(length for length, _ in inner)[int(_WITHIN * (len(inner) - 1))] - _SLACK
    full = sum(with_next > width for _, with_next in inner)
    return width if _NARROW <= width <= _WIDE and full >= _SHARE * len(inner) else 0


def _between_cuts(lines: list[str]) -> list[bool]:
    """Tell of each line whether it stands between scissors, or is one of them."""
    if not cut_lines(lines):
        return [False] * len(lines)
    cuts = [is_cut(line) for line in lines]
    return [
        cut or seen % 2 == 1 for cut, seen in zip(cuts, itertools.accumulate(cuts), strict=True)
    ]


def _margin(lines: list[str]) -> int:
    """Return how far most lines are indented, as in a page that was printed to text."""
    counts = collections.Counter(_indent(line) for line in lines if line.strip())
    margin, count = counts.most_common(1)[0] if counts else (0, 0)
    return margin if 2 * count > counts.total() else 0


def _with_next(length: int, after: str) -> int:
    """Return the length of a line that had taken the first word of the line *after* as well."""
    return length + 1 + len(after.split(maxsplit=1)[0])


def _joined(lines: list[str], width: int) -> list[str]:
    made: list[list[str]] = []  # the parts of each line: a paragraph may have very many
    above = ""  # the line before, as it stood
    code = -1  # the indent under which code stands, -1 for none
    fenced = False
    for line, is_code in zip(lines, _between_cuts(lines), strict=True):
        bare = line.strip()
        if is_code:
            made.append([line])
            above, code = "", -1
            continue
        if bare and 0 <= code >= _indent(line):
            code = -1
        if not fenced and code < 0 and made and _goes_on(made[-1][0], above, line, width):
            made[-1].append(bare)
        else:
            made.append([line])
        # A row of tildes right under a line underlines it, unless it ends what another one began.
        is_rule = bool(_RULE.match(bare)) and bool(above.strip())
        fenced ^= bare.startswith(_FENCES) and (fenced or not is_rule)
        if code < 0 and bare.endswith("::"):
            code = _indent(made[-1][0])
        above = line
    return [
        " ".join([parts[0].rstrip(), *parts[1:]]) if len(parts) > 1 else parts[0] for parts in made
    ]


def _goes_on(head: str, above: str, line: str, width: int) -> bool:
    """Tell whether *line* goes on with the line *above*, in a paragraph that begins with *head*."""
    before, bare = above.strip(), line.strip()
    if not bare or not before or _begins(line) or _RULE.match(before) or before.endswith("::"):
        return False
    if _COLUMNS.search(bare) or _COLUMNS.search(before):
        return False
    if _indent(line) != _indent(head) and not (_begins(head) and _indent(line) > _indent(head)):
        return False
    if _with_next(len(above.rstrip()), line) > width:
        return True
    return bare.lstrip(_EMPHASIS)[:1].islower() and not before.endswith(_ENDS)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _begins(line: str) -> bool:
    return bool(_MARK.match(line.lstrip()))
