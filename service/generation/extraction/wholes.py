"""Join blocks to what is quoted whole: a list with its lead, a table, a term with its definition.

What the import found to belong together does. Beyond that, steps whose numbers go on are one list
although pictures, notes or code stand between them, the parts of a paragraph or a list that lies in
two chunks are one again, and a name on a line of its own is told with the paragraph about it.
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from service.blocks import BlockKind

UNKNOWN: Final = 0
"""The whole of a block of which nobody said what it belongs to."""
_NUMBER: Final = re.compile(r"\(?(\d{1,3})[.)]\s")
_DIGITS: Final = frozenset("(0123456789")
_COLONS: Final = (":", "：")
_BETWEEN_STEPS: Final = 4
"""Paragraphs, pictures or notes that may stand between two steps of one list."""
_LEADING: Final = frozenset((BlockKind.TEXT, BlockKind.LEAD))
_RUNS: Final = frozenset((BlockKind.ITEM, BlockKind.ROW))


_MARKER: Final = re.compile(r"\A(?:[-*+•·–◦▪]|\(?\d{1,3}[.)])\s+")


class WholeKind(enum.Enum):
    """What is quoted together."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    STEPS = "steps"
    TABLE = "table"
    DEFINITION = "definition"
    CODE = "code"
    NOTE = "note"


LISTS: Final = frozenset((WholeKind.LIST, WholeKind.STEPS, WholeKind.TABLE))


class SourceBlock(msgspec.Struct, frozen=True):
    """A block as a source has it, verbatim, with its terms."""

    kind: BlockKind
    text: str
    level: int
    whole: int
    terms: tuple[str, ...]
    source: int = -1

    @property
    def number(self) -> int:
        """The number of a step, 0 where it has none."""
        if self.kind is not BlockKind.ITEM or self.text[:1] not in _DIGITS:
            return 0
        found = _NUMBER.match(self.text)
        return int(found[1]) if found else 0


class Whole(msgspec.Struct, frozen=True):
    """Parts that stand or fall together, in order."""

    kind: WholeKind
    blocks: tuple[SourceBlock, ...]
    known: frozenset[str]
    """All its terms."""

    @property
    def size(self) -> int:
        """How many characters it has."""
        return sum(len(block.text) for block in self.blocks)

    @property
    def text(self) -> str:
        """Its blocks, a line each."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def lead(self) -> tuple[SourceBlock, ...]:
        """The blocks before its first item, row or line of code."""
        if self.kind not in (WholeKind.LIST, WholeKind.STEPS, WholeKind.TABLE):
            return ()
        first = next(at for at, block in enumerate(self.blocks) if block.kind in _RUNS)
        return self.blocks[:first]


def unmarked(text: str) -> str:
    """Return an item without its bullet or number."""
    return _MARKER.sub("", text, count=1)


def join(blocks: Sequence[SourceBlock]) -> tuple[Whole, ...]:
    """Return the wholes of the *blocks* of one section."""
    groups = list[list[SourceBlock]]()
    for block in _with_terms(blocks):
        if (entry := _entry(groups, block)) is not None:
            entry.append(block)
        elif groups and _belongs(groups[-1], block):
            groups[-1].append(block)
        else:
            groups.append([block])
    return tuple(_whole(group) for group in _steps_joined(_labels_joined(groups)))


def _entry(groups: Sequence[list[SourceBlock]], block: SourceBlock) -> list[SourceBlock] | None:
    """Return the definition that *block* goes on with behind those that are nested in it.

    Settings have their fields so, such as their type and default, and then what they do.
    """
    if block.kind is BlockKind.TERM or block.whole == UNKNOWN or not groups:
        return None
    if not _is_nested(groups[-1][0], block):
        return None
    for group in reversed(groups):
        first = group[0]
        if first.whole != block.whole:
            return None
        if first.kind is BlockKind.TERM and first.level <= block.level:
            return group
    return None


def _is_nested(inner: SourceBlock, outer: SourceBlock) -> bool:
    """Tell whether *inner* is a term inside the definition that *outer* is of."""
    return inner.kind is BlockKind.TERM and inner.whole == outer.whole and inner.level > outer.level


def _labels_joined(groups: Sequence[list[SourceBlock]]) -> list[list[SourceBlock]]:
    """Join a term that means nothing itself with what is nested in it, an entry with its fields.

    Fields come last, as who asks wants to hear first what the entry does.
    """
    joined = list[list[SourceBlock]]()
    for group in groups:
        entry = next((one for one in reversed(joined) if _is_nested(group[0], one[0])), None)
        if entry is not None and (len(entry) == 1 or group[0].text.endswith(_COLONS)):
            entry += group
        else:
            joined.append(group)
    return joined


def _belongs(group: Sequence[SourceBlock], block: SourceBlock) -> bool:
    """Tell whether *block* goes on with *group*."""
    last = group[-1]
    if last.whole != UNKNOWN and _is_nested(block, last):
        return False
    if block.kind is BlockKind.TERM and last.kind is not BlockKind.TERM:
        # Also within a whole: what is nested in a definition are definitions, each of its own.
        return block.whole == last.whole != UNKNOWN and not any(
            one.kind is BlockKind.TERM and one.level >= block.level for one in group
        )
    if block.whole == last.whole != UNKNOWN:
        return True
    if block.kind is BlockKind.ITEM and last.kind is BlockKind.ITEM:
        restarts = block.number == 1 and block.level == last.level and last.number > 0
        return not restarts or last.number == 1
    if block.kind is BlockKind.ROW and last.kind is BlockKind.ROW:
        return True
    if block.kind is BlockKind.DEFINITION:
        return last.kind in (BlockKind.TERM, BlockKind.DEFINITION)
    introduced = last.kind in _LEADING and last.text.endswith(_COLONS)
    return introduced and block.kind in (*_RUNS, BlockKind.CODE)


def _with_terms(blocks: Sequence[SourceBlock]) -> Sequence[SourceBlock]:
    """Return *blocks* with the names that stand alone above what they mean as terms.

    So are entries of a glossary, and settings in a reference, where the layout is lost.
    """
    at = [
        n
        for n, (name, meant) in enumerate(itertools.pairwise(blocks))
        if name.kind is meant.kind is BlockKind.TEXT
        and _NAME.fullmatch(name.text)
        and _SENTENCE.match(meant.text)
    ]
    if len(at) < _ENTRIES:
        at = [n for n in at if _SETTING.fullmatch(blocks[n].text)]
    if not at:
        return blocks
    read = list(blocks)
    for n in at:
        read[n] = msgspec.structs.replace(read[n], kind=BlockKind.TERM)
        read[n + 1] = msgspec.structs.replace(read[n + 1], kind=BlockKind.DEFINITION)
    return read


_NAME: Final = re.compile(r"(?=.{2,40}\Z)[^\s.:!?;,]+(?: [^\s.:!?;,]+){0,3}")
"""A name, and no sentence."""
_SETTING: Final = re.compile(r"[\w$%-]*[a-z0-9$%][_-][\w-]+|[A-Z][A-Z0-9]*_[A-Z0-9_]+|--?\w[\w-]*")
"""A name of a setting, a variable or an option."""
_SENTENCE: Final = re.compile(r"\W*[A-ZÀ-Þ0-9].{18,}", re.DOTALL)
"""Begins what is said of it."""
_ENTRIES: Final = 3
"""Names of this form that a section has which is a glossary."""


def _steps_joined(groups: Sequence[list[SourceBlock]]) -> list[list[SourceBlock]]:
    """Join lists whose numbers go on, with what stands between them."""
    joined = list[list[SourceBlock]]()
    for group in groups:
        first = next((block.number for block in group if block.number), 0)
        if first > 1 and group[0].kind is BlockKind.ITEM:
            since = next(
                (
                    at
                    for at in range(len(joined) - 1, max(-1, len(joined) - 2 - _BETWEEN_STEPS), -1)
                    if _last_number(joined[at]) == first - 1
                ),
                None,
            )
            if since is not None:
                whole = [block for one in (*joined[since:], group) for block in one]
                joined[since:] = [whole]
                continue
        joined.append(group)
    return joined


def _last_number(group: Sequence[SourceBlock]) -> int:
    return next((block.number for block in reversed(group) if block.number), 0)


def _are_steps(group: Sequence[SourceBlock]) -> bool:
    """Tell whether the items of a list are numbered, most of them, or those in its only one."""
    items = [block for block in group if block.kind is BlockKind.ITEM]
    outermost = min(block.level for block in items)
    outer = [block for block in items if block.level == outermost]
    told = outer if len(outer) > 1 else items
    numbered = sum(block.number > 0 for block in told)
    return numbered > 1 and 2 * numbered >= len(told)


def _whole(group: Sequence[SourceBlock]) -> Whole:
    kinds = {block.kind for block in group}
    if BlockKind.ITEM in kinds:
        kind = WholeKind.STEPS if _are_steps(group) else WholeKind.LIST
    elif BlockKind.ROW in kinds:
        kind = WholeKind.TABLE
    elif kinds & {BlockKind.TERM, BlockKind.DEFINITION}:
        kind = WholeKind.DEFINITION
    elif BlockKind.CODE in kinds:
        kind = WholeKind.CODE
    elif kinds == {BlockKind.NOTE}:
        kind = WholeKind.NOTE
    else:
        kind = WholeKind.PARAGRAPH
    return Whole(kind, tuple(group), frozenset(term for block in group for term in block.terms))
