"""Recognise what blocks are to each other: lists with their leads, questions with their answers.

Readers know what a format says outright: this is an item, these rows are one table. The rest is
the same in every format, and decided here: on texts alone, in a few passes over all blocks.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.blocks import Block, BlockKind
from service.corpus.parsing import note_labels
from service.corpus.parsing.loose_blocks import ANSWERED, ASKED, LooseBlock, is_question
from service.language import sentences

COLON: Final = (":", "：")
_NOTE: Final = re.compile(
    rf"\W{{0,3}}(?:{note_labels.WORDS})\s?(?:[:：!]|(?<=[!：:])|\W?\s?[-–—]\s)", re.I
)
_LETTERS: Final = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff]")
_STEP: Final = re.compile(r"\W*(?:step|schritt|étape|paso|passo|passaggio|part|\d)", re.I)
_NUMBER: Final = re.compile(r"\(?(\d{1,3})[.)]\s")
_AFTER_TERM: Final = re.compile(r"\s?[:：]\s*|\s[-–—]\s+|[.]\s+")
_STOPS: Final = tuple(".!;,。！；，…")

_CAPTION: Final = re.compile(
    r"(?:fig(?:ure|ura)?|abb(?:ildung)?|bild|image[mn]?|tab(?:le(?:au)?|elle|la|ela)?|equation|"
    r"gleichung|listing)\.?\s*(?:[A-Z]\W?)?\d|(?:example|beispiel|exemple|ejemplo) \d+\.\d",
    re.I,
)
"""What begins the caption of a picture or a table, and heads nothing."""
_PICTURED: Final = re.compile(
    r"(?:fig(?:ure|ura)?|abb(?:ildung)?|bild|image[mn]?|photo)\.?\s*\d{1,3}(?:[.-]\d{1,3})*"
    r"(?:\s?[.:–—-]\s[^\n]*|[.:])?",
    re.I,
)
"""The line that numbers the picture before it: "Figure 5. A pier", no sentence about it."""

_HEADING_LENGTH: Final = 100
"""Characters of a bold line that may be a heading nobody marked as one."""
_TERM_LENGTH: Final = 60
_LEAD_LENGTH: Final = 160
"""Characters of a paragraph without a colon that may introduce the list after it."""
_SHORT_LEAD: Final = 100
"""Of a longer paragraph that ends in a colon only the last sentence leads on."""
_ANSWER_LENGTH: Final = 700
"""Characters that answer a question at most; what follows only explains."""
_INTERRUPTION: Final = 12
"""Blocks that may stand between two steps of one list: pictures, code, notes."""
_SECTIONS: Final = frozenset({BlockKind.HEADING, BlockKind.QUESTION})
_PROSE: Final = frozenset({BlockKind.TEXT, BlockKind.NOTE})
_MEANT: Final = frozenset({BlockKind.TERM, BlockKind.DEFINITION})
_LED: Final = frozenset({BlockKind.ITEM, BlockKind.ROW, BlockKind.CODE, BlockKind.TERM})


def recognise(loose: Sequence[LooseBlock], language: str = "") -> None:
    """Give each of *loose*, which are all of a document, its final kind, level and whole."""
    _name(loose)
    _gather(loose)
    _resume(loose)
    _introduce(loose, language)
    _answer(loose)
    _number(loose)


def placed(one: LooseBlock, start: int) -> Iterator[Block]:
    """Yield the block, or the two, that *one* is where its text begins at *start*."""
    end = start + len(one.text)
    cut = start + one.cut if one.cut else end
    level = one.level - (one.kind is BlockKind.ITEM and one.level > 0)
    first = start + len(one.text[: one.cut].rstrip()) if one.cut else end
    yield Block(one.kind, start, first, level, one.page, one.whole)
    if cut < end:
        yield Block(one.rest, cut, end, level, one.page_at(one.cut), one.rest_whole)


# --- What each block says of itself ------------------------------------------------------------


def _name(loose: Sequence[LooseBlock]) -> None:
    level, asked, pictured = 0, False, False
    for one, after in itertools.zip_longest(loose, loose[1:]):
        match one.kind:
            case BlockKind.TEXT if pictured and _PICTURED.fullmatch(one.text):
                one.kind = BlockKind.FIGURE
            case BlockKind.HEADING:
                if one.level:
                    level = one.level
                one.level = one.level or min(level + 1, 6)
                if is_question(one.text) or ASKED.match(one.text):
                    one.kind = BlockKind.QUESTION
            case BlockKind.ITEM if ASKED.match(one.text):
                one.kind, one.level, one.whole = BlockKind.QUESTION, min(level + 1, 6), 0
            case BlockKind.ITEM | BlockKind.TEXT if asked and ANSWERED.match(one.text):
                one.kind, one.level, one.whole = BlockKind.TEXT, 0, 0
            case BlockKind.TEXT if not one.level:
                _name_text(one, after, level)
            case _:
                pass
        asked, pictured = one.kind is BlockKind.QUESTION, bool(one.figures)


def _name_text(one: LooseBlock, after: LooseBlock | None, level: int) -> None:
    """Name a paragraph that is more than one: a question, a heading in bold, a note, a term."""
    text = one.text
    is_bold = one.bold >= len(text) > 0
    if ((is_bold or text.isupper()) and is_question(text)) or (
        ASKED.match(text) and is_question(text)
    ):
        one.kind, one.level = BlockKind.QUESTION, min(level + 1, 6)
    elif _NOTE.match(text):
        one.kind = BlockKind.NOTE
    elif is_bold:
        goes_on = after is not None and after.kind not in _SECTIONS
        says_no_more = not text.endswith((*_STOPS, *COLON)) and "\n" not in text
        is_short = len(text) <= _HEADING_LENGTH and _LETTERS.search(text)
        heads = is_short and not _CAPTION.match(text)
        if goes_on and says_no_more and heads and not one.whole:
            one.kind, one.level = BlockKind.HEADING, min(level + 1, 6)
    elif 0 < one.bold <= _TERM_LENGTH and not _STEP.match(text):
        told = text[: one.bold].rstrip()
        ends = len(told) - (told[-1:] in ":：.")
        if (found := _AFTER_TERM.match(text, ends)) and len(text) > found.end():
            one.kind, one.cut, one.rest = BlockKind.TERM, found.end(), BlockKind.DEFINITION


# --- What belongs together ---------------------------------------------------------------------


def _fresh(loose: Sequence[LooseBlock]) -> Iterator[int]:
    return itertools.count(1 + max((one.whole for one in loose), default=0))


def _gather(loose: Sequence[LooseBlock]) -> None:
    """Make one list of items, one table of rows, that follow each other."""
    numbers = _fresh(loose)
    before: LooseBlock | None = None
    for one in loose:
        if one.kind in (BlockKind.ITEM, BlockKind.ROW) and not one.whole:
            follows = before is not None and before.kind is one.kind and before.whole
            one.whole = before.whole if before is not None and follows else next(numbers)
        elif one.kind is BlockKind.TERM and not one.whole:
            one.whole = one.rest_whole = next(numbers)
        elif one.kind is BlockKind.TERM and one.cut:
            one.rest_whole = one.whole
        before = one


def _resume(loose: Sequence[LooseBlock]) -> None:
    """Make one of the numbered lists that go on after what interrupts them: 1, 2, a note, 3."""
    joined: dict[int, int] = {}
    last = -1  # the step that may be gone on from
    for at, one in enumerate(loose):
        one.whole = joined.get(one.whole, one.whole)
        if one.kind in _SECTIONS:
            last = -1
        if (
            one.kind is not BlockKind.ITEM
            or one.level > 1
            or not (found := _NUMBER.match(one.text))
        ):
            continue
        if last >= 0 and loose[last].whole != one.whole and at - last <= _INTERRUPTION:
            ended = _NUMBER.match(loose[last].text)
            if ended and int(found[1]) == int(ended[1]) + 1:
                joined[one.whole] = loose[last].whole
                _join(loose[last + 1 : at], loose[last].whole)
                one.whole = loose[last].whole
        last = at


def _join(between: Sequence[LooseBlock], whole: int) -> None:
    """Count what stands *between* two steps to their *whole*, as a part of the first step.

    What has a level of its own already counts from the list of the steps.
    """
    listed = [one.level for one in between if one.kind is BlockKind.ITEM]
    apart = min(listed, default=1) == 1
    for one in between:
        if one.whole != whole:
            one.level += apart if one.kind is BlockKind.ITEM else not one.level
        one.whole = whole


def _introduce(loose: Sequence[LooseBlock], language: str) -> None:
    """Find the line that leads to a list, a table or code, and count it to what it leads to."""
    numbers = _fresh(loose)
    told = (one for one in loose if one.kind is not BlockKind.FIGURE)
    for one, after in itertools.pairwise(told):
        if after.kind not in _LED or (after.whole and after.whole == one.whole):
            continue
        ends_in_colon = one.text.endswith(COLON)
        if one.kind in _SECTIONS and ends_in_colon and after.kind is not BlockKind.TERM:
            one.whole = after.whole = after.whole or next(numbers)
        elif one.kind is BlockKind.TEXT and not one.whole and not _ends_item(one, after):
            if ends_in_colon and len(one.text) > _SHORT_LEAD:
                one.cut = _last_sentence(one.text, language)
            if ends_in_colon or _leads(one.text, after.kind, language):
                after.whole = after.whole or next(numbers)
                one.rest, one.rest_whole = BlockKind.LEAD, after.whole
                if not one.cut:
                    one.kind, one.whole = BlockKind.LEAD, after.whole
        elif one.kind is BlockKind.NOTE and not one.whole and ends_in_colon:
            one.whole = after.whole = after.whole or next(numbers)


def _ends_item(one: LooseBlock, after: LooseBlock) -> bool:
    """Tell whether *one* belongs to the item of a list that *after* goes on with."""
    is_next = after.kind is BlockKind.ITEM and 0 < after.level <= one.level
    return is_next and not one.text.endswith(COLON)


def _leads(text: str, to: BlockKind, language: str) -> bool:
    """Tell whether a line without colon leads on: any does to a list, else it must say so."""
    if len(text) > _LEAD_LENGTH or to is BlockKind.TERM or ANSWERED.match(text):
        return False
    if to in (BlockKind.ROW, BlockKind.CODE) and _CAPTION.match(text):
        return "\n" not in text
    says_so = to is BlockKind.ITEM or _FOLLOWING.search(text)
    says_so = says_so or (to is BlockKind.CODE and not text.endswith(_STOPS))
    return bool(says_so) and len(sentences.spans(text, language)) == 1


_FOLLOWING: Final = re.compile(
    r"follow|below|next|table|tabelle|tableau|tabla|folgend|unten|suivant|dessous|siguiente|abajo|continuación|seguent|sotto|"
    r"以下|如下|下面|次の",
    re.I,
)


def _last_sentence(text: str, language: str) -> int:
    return sentences.spans(text, language)[-1][0]


def _answer(loose: Sequence[LooseBlock]) -> None:
    """Count to each question what answers it: the paragraphs after it, else the list."""
    numbers = _fresh(loose)
    for at, one in enumerate(loose):
        if one.kind is not BlockKind.QUESTION or one.whole:
            continue
        one.whole = next(numbers)
        length = 0
        for place in range(at + 1, len(loose)):  # not islice: it would count from the beginning
            after = loose[place]
            is_nested = after.kind in _MEANT and after.level > 0
            if after.whole or not (after.kind in _PROSE or is_nested):
                if not length and after.kind not in _SECTIONS:
                    one.whole = after.whole or one.whole
                break
            if length and length + len(after.text) > _ANSWER_LENGTH:
                break
            length += len(after.text)
            after.whole = one.whole


def _number(loose: Sequence[LooseBlock]) -> None:
    """Number the wholes from 1 in their order; no whole goes on behind a heading."""
    numbers = itertools.count(1)
    given: dict[int, int] = {}

    def number(whole: int) -> int:
        if not whole:
            return next(numbers)
        if whole not in given:
            given[whole] = next(numbers)
        return given[whole]

    for one in loose:
        if one.kind in _SECTIONS:
            given.clear()
        one.whole = number(one.whole)
        if one.cut:
            one.rest_whole = number(one.rest_whole)
