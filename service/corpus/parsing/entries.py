"""Set apart the entries of a page: its questions from their answers, its terms from what they mean.

Help is mostly made of entries, and hardly ever marked as that: a question in bold with its answer
in the same paragraph, a list whose items are questions, a list of definitions. Each becomes what a
section under a heading is. The text of the document stays as it is: only its blocks change.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

import msgspec

from service.blocks import BlockKind
from service.corpus.parsing.loose_blocks import ANSWERED, ASKED, LooseBlock, is_question

_ANSWER: Final = re.compile(rf"[?？؟]\W{{0,3}}\s+(?={ANSWERED.pattern})", re.I)
_TERM_LENGTH: Final = 100
"""Characters of a term of several words that heads what it means; one of a single word, such as an
option, says little without that, and stays with it."""
_PROSE: Final = (".", "!", "。", "！", ":", "：", ")")


def apart(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* with each question and its answer in blocks of their own.

    A block that was cut from the one before it says in its *gap* what stands between them.
    """
    for at, end in list(_lists(loose)):
        _unlist(loose, at, end)
    _head_definitions(loose)
    return [part for one in loose for part in split(one)]


def split(one: LooseBlock) -> Iterator[LooseBlock]:
    """Yield a block, or the question and the answer that it holds."""
    at = _cut(one) if one.kind is BlockKind.TEXT and not one.level else 0
    if not at:
        yield one
        return
    asked = one.text[:at].rstrip()
    rest = one.text[at:]
    before = tuple(turn for turn in one.turns if turn[0] < len(asked))
    yield msgspec.structs.replace(
        one, text=asked, bold=len(asked), linked=False, turns=before, figures=()
    )
    gap = one.text[len(asked) : at]
    after = tuple((turn - at, page) for turn, page in one.turns if turn > at)
    yield msgspec.structs.replace(
        one, text=rest, bold=0, linked=False, gap=gap, page=one.page_at(at), turns=after
    )


def _cut(one: LooseBlock) -> int:
    """Return where the answer begins behind the question at the beginning of *one*, 0 if nowhere.

    The question is in bold, or a line of its own, or it is labelled as one and its answer as such.
    """
    text = one.text
    if 0 < one.bold < len(text):
        return _behind(text, one.bold) if _heads(text[: one.bold], text[one.bold :]) else 0
    if one.bold or not ASKED.match(text):
        return 0
    if found := _ANSWER.search(text):
        return found.end()
    line = text.find("\n")
    return _behind(text, line) if line > 0 and is_question(text[:line]) else 0


def _heads(bold: str, rest: str) -> bool:
    """Tell whether what is set in bold asks what *rest* answers, or is a line that heads it."""
    if not any(map(str.isalnum, rest)):
        return False
    if is_question(bold):
        # A sentence that goes on in small letters was only stressed: "**Why?** is the question".
        return not rest.lstrip()[:1].islower()
    is_line = rest.lstrip(" ").startswith("\n") and "\n" not in bold
    return is_line and not bold.rstrip().endswith(_PROSE) and rest.endswith(_PROSE[:4])


def _behind(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip())


# --- Lists of questions and sections -----------------------------------------------------------


def _lists(loose: Sequence[LooseBlock]) -> Iterator[tuple[int, int]]:
    """Yield where each outermost list begins and ends."""
    at = 0
    while at < len(loose):
        end = at + 1
        if loose[at].kind is BlockKind.ITEM:
            end = _end(loose, at)
            yield at, end
        at = end


def _unlist(loose: Sequence[LooseBlock], at: int, end: int) -> None:
    """Make sections of the items of a list that are all questions with their answers, or captions.

    A question becomes a paragraph that asks, a caption a heading.
    """
    first = loose[at]
    tops = [place for place in range(at, end) if _is_top(loose[place], first)]
    led = at > 0 and loose[at - 1].text.endswith((":", "："))
    if not led and all(_is_asked(loose, place, end) for place in tops):
        _lift(loose[at:end], {id(loose[place]) for place in tops}, first.level, BlockKind.TEXT)
    elif _are_captions(loose, tops, end):
        _lift(loose[at:end], {id(loose[place]) for place in tops}, first.level, BlockKind.HEADING)


def _are_captions(loose: Sequence[LooseBlock], tops: Sequence[int], end: int) -> bool:
    """Tell whether the items at *tops* are but names in bold, under each of which much is said.

    Steps, which are told together, say little each.
    """
    if len(tops) < _CAPTIONS:
        return False
    for at, after in itertools.pairwise((*tops, end)):
        one = loose[at]
        is_name = one.bold >= len(one.text) <= _TERM_LENGTH and not one.text.endswith(_PROSE)
        if not is_name or after - at < _CAPTIONS:
            return False
    said = sum(len(one.text) for one in loose[tops[0] : end])
    return said >= _SECTION * len(tops)


_CAPTIONS: Final = 2
"""Items of a list of sections; with what is under each it is so many blocks."""
_SECTION: Final = 400
"""Characters that each of them has on average."""


def _end(loose: Sequence[LooseBlock], at: int) -> int:
    """Return where the list ends that begins at *at*: its format knows, else its items do."""
    whole = loose[at].whole
    for place in range(at + 1, len(loose)):
        after = loose[place]
        if after.whole != whole or (not whole and after.kind is not BlockKind.ITEM):
            return place
    return len(loose)


def _is_top(one: LooseBlock, first: LooseBlock) -> bool:
    return one.kind is BlockKind.ITEM and one.level <= first.level


def _is_asked(loose: Sequence[LooseBlock], at: int, end: int) -> bool:
    """Tell whether the item is a question that its own text, or the block after it, answers."""
    one = loose[at]
    if 0 < one.bold < len(one.text):
        return is_question(one.text[: one.bold]) and _heads(
            one.text[: one.bold], one.text[one.bold :]
        )
    if not is_question(one.text) or at + 1 == len(loose):
        return False
    after = loose[at + 1]
    if at + 1 < end:
        return after.kind is not BlockKind.ITEM or after.level > one.level
    return after.kind is BlockKind.TEXT


def _lift(blocks: Sequence[LooseBlock], heads: Set[int], depth: int, kind: BlockKind) -> None:
    """Take the blocks of a list out of it: its items are of *kind*, the others not nested."""
    for one in blocks:
        if id(one) in heads:
            one.kind = kind
            one.bold = one.bold or len(one.text)
        one.level = max(one.level - depth, 0)
        one.whole = 0


# --- Lists of definitions ----------------------------------------------------------------------


def _head_definitions(loose: Sequence[LooseBlock]) -> None:
    """Make headings of terms, and paragraphs of what they mean; all of a list, or none.

    Their level stays open: it is that below the heading before them. A term that is none would
    stand under the one before it.
    """
    is_led = False  # whether what is before ends in a colon, and leads to the terms
    for is_list, run in itertools.groupby(_groups(loose), key=_is_defined):
        groups = list(run)
        if is_list:
            entries = sum(_is_entry(group) for group in groups) if not is_led else 0
            all_head = entries >= _MOST * len(groups)
            for group in groups:
                if _has_meaning(group) and (all_head or is_question(group[0].text)):
                    _head(group)
        is_led = groups[-1][-1].text.endswith((":", "："))


_MOST: Final = 0.8
"""A list is one of entries if this share of its terms says what it is about alone."""


def _groups(loose: Sequence[LooseBlock]) -> Iterator[list[LooseBlock]]:
    for _, run in itertools.groupby(loose, key=lambda one: one.whole):
        yield list(run)


def _is_defined(group: Sequence[LooseBlock]) -> bool:
    return bool(group[0].whole) and group[0].kind is BlockKind.TERM


def _head(group: Sequence[LooseBlock]) -> None:
    term = group[0]
    for one in group:
        if one.kind is BlockKind.DEFINITION and one.level == term.level:
            one.kind = BlockKind.TEXT
        one.whole = 0
    term.kind, term.level = BlockKind.HEADING, 0


def _has_meaning(group: Sequence[LooseBlock]) -> bool:
    """Tell whether one term has its meaning to itself."""
    term, *rest = group
    return bool(rest) and not any(
        one.kind is BlockKind.TERM and one.level <= term.level for one in rest
    )


def _is_entry(group: Sequence[LooseBlock]) -> bool:
    """Tell whether the term of *group* may head it: words, and neither an option nor a label."""
    said = group[0].text
    return _has_meaning(group) and (
        is_question(said)
        or (
            len(said) <= _TERM_LENGTH
            and " " in said
            and not said.startswith(("-", "/"))
            and not said.endswith((":", "："))
            and not _CODE.search(said)
        )
    )


_CODE: Final = re.compile(r"[\n`=<>{}\\|]")
