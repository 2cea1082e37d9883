"""Cut a document into chunks that can be found, read and cited on their own.

A chunk is a run of whole sections, or a part of one section that ends where a paragraph, a list
item, a table row or at least a sentence ends. Its text is verbatim. No I/O here.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from service.blocks import Block, BlockKind, heading_text
from service.corpus.parsing.parsed_documents import ParsedDocument
from service.language import sentences

SIZE: Final = 180
"""Tokens that a chunk may have where neither its data store (`catalogue.branches`) nor its upload
(`rag_file_configs`) says another size: of the sizes from 100 to 500 that a data store may choose,
the one with which 4,000 bytes read held most of the answers."""

_TOKEN: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"  # scripts without spaces, by character
    "|[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\\w\\s]"
)
_ASCII_TOKEN: Final = re.compile(r"\w+|[^\w\s]", re.ASCII)
_PIECE: Final = re.compile(r"\S+\s*")
_SMALL: Final = 0.4
"""A section under this share of the size is joined with its neighbours, if they fit."""

# What it costs to cut before a unit, in shares of the size that one would rather be off target.
_PARAGRAPH: Final = 0.0
_IN_LIST: Final = 0.15
_IN_PARAGRAPH: Final = 0.25
_AFTER_LEAD: Final = 0.5
_PER_LEVEL: Final = 0.05
"""More, the deeper the item is nested before which the list is cut."""
_LEVELS: Final = 3
_RECORD: Final = 1_024
"""Tokens up to which a line that is a JSON object stays whole, whatever the size of chunks: whoever
reads it back can do nothing with a part. It is what the public API gives a chunk by default."""
_HEADS: Final = frozenset({BlockKind.HEADING, BlockKind.QUESTION})
_PROMISES: Final = frozenset({BlockKind.LEAD, BlockKind.TERM})


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes ``start:end`` of a body in UTF-8 that make a chunk, and where they stand."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int = 0
    last_page: int = 0
    blocks: tuple[Block, ...] = ()
    """What it consists of, in characters of its text."""


class _Unit(msgspec.Struct, frozen=True):
    """What is not cut: a sentence, a list item, a table row, a line; in characters."""

    start: int
    end: int
    tokens: int
    cost: float


class _Section(msgspec.Struct):
    """What stands under one heading, the heading included."""

    path: tuple[tuple[int, str], ...]
    units: list[_Unit]

    @property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)


def chunk(document: ParsedDocument, *, size: int = SIZE) -> list[Span]:
    """Return the chunks of *document* in order; only white space lies between them.

    A chunk has at most *size* tokens: words, signs, or characters of scripts that write no spaces;
    more only where it is one line that is a JSON object.
    """
    body = document.body
    runs = _merged(_sections(document, size), size)
    found: list[tuple[_Unit, int, _Section]] = []
    for run in runs:
        for first, last in _parts(run.units, size):
            found.append((run.units[first], run.units[last].end, run))
    to_byte = _ByteOffsets(body)
    within = _BlocksWithin(document.blocks)
    page_at = _page_at(document)
    return [
        Span(
            start=to_byte(first.start),
            end=to_byte(end),
            headings=tuple(text for _, text in run.path),
            page=page_at(first.start),
            last_page=page_at(end - 1),
            blocks=within(first.start, end),
        )
        for first, end, run in found
    ]


def count_tokens(text: str) -> int:
    """Return about how many tokens a language model makes of *text*."""
    return len((_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text))


class _ByteOffsets:
    """Turns growing character offsets into byte offsets, in one pass over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._at = self._bytes = 0

    def __call__(self, offset: int) -> int:
        if self._ascii:
            return offset
        self._bytes += len(self._text[self._at : offset].encode())
        self._at = offset
        return self._bytes


def _page_at(document: ParsedDocument) -> Callable[[int], int]:
    """Return what tells the page of a character, 0 where there are no pages."""
    begins = sorted((*((block.start, block.page) for block in document.blocks), *document.turns))
    starts = [start for start, _ in begins]

    def page_at(offset: int) -> int:
        at = bisect.bisect_right(starts, offset)
        return begins[at - 1][1] if at else 0

    return page_at


class _BlocksWithin:
    """Gives the blocks of growing stretches of a text, in one pass; the part of one that is cut."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._at = 0

    def __call__(self, start: int, end: int) -> tuple[Block, ...]:
        while self._at < len(self._blocks) and self._blocks[self._at].end <= start:
            self._at += 1
        found: list[Block] = []
        at = self._at
        while at < len(self._blocks) and self._blocks[at].start < end:
            block = self._blocks[at]
            first, last = max(block.start, start) - start, min(block.end, end) - start
            found.append(msgspec.structs.replace(block, start=first, end=last, page=0))
            at += 1
        return tuple(found)


def _sections(document: ParsedDocument, size: int) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    section = _Section((), [])
    only_headings = True
    before: Block | None = None
    for block in document.blocks:
        text = document.body[block.start : block.end]
        heads = block.kind in _HEADS and block.level > 0
        if heads:
            path = [entry for entry in path if entry[0] < block.level]
            path.append((block.level, heading_text(text)))
            if not only_headings:
                yield section
                section = _Section((), [])
            section.path = tuple(path)
        only_headings = heads
        section.units.extend(_units(document, block, size, _cost(before, block)))
        if block.kind is not BlockKind.FIGURE:  # what goes on behind a picture goes on
            before = block
    yield section


def _cost(before: Block | None, block: Block) -> float:
    """Return what it costs to cut before *block*: most, where it was promised."""
    if before is None:
        return _PARAGRAPH
    if before.kind in _HEADS or (before.kind in _PROMISES and before.whole == block.whole):
        return _AFTER_LEAD
    if before.whole != block.whole:
        return _PARAGRAPH if block.start - before.end > 1 else _IN_PARAGRAPH
    return _IN_LIST + _PER_LEVEL * min(block.level, _LEVELS)


def _units(document: ParsedDocument, block: Block, size: int, cost: float) -> Iterator[_Unit]:
    """Cut a block into what must stay whole, and that only where it is larger than a chunk."""
    text = document.body[block.start : block.end]
    match block.kind:
        case BlockKind.TEXT | BlockKind.NOTE | BlockKind.DEFINITION:
            spans = sentences.spans(text, document.language)
        case BlockKind.ROW if text.startswith("{") and text.endswith("}"):
            spans, size = [(0, len(text))], max(size, _RECORD)
        case BlockKind.CODE:
            spans = [found.span() for found in re.finditer(r"[^\n]*\S", text)]
        case _:
            spans = [(0, len(text))]
            if count_tokens(text) > size:
                spans = sentences.spans(text, document.language)
    within = _IN_LIST if block.kind is BlockKind.CODE else _IN_PARAGRAPH
    for start, end in spans:
        for first, last, tokens in _pieces(text, start, end, size):
            yield _Unit(block.start + first, block.start + last, tokens, cost)
            cost = within


def _pieces(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield ``start:end`` whole, or cut between words (else characters) where it is too large."""
    tokens = count_tokens(text[start:end])
    if tokens <= size:
        yield start, end, tokens
        return
    first, stop, used = start, start, 0
    for word in _PIECE.finditer(text, start, end):
        for at, until in _characters(word, size):
            needed = count_tokens(text[at:until])
            if used and used + needed > size:
                yield first, stop, used
                first, used = at, 0
            stop, used = at + len(text[at:until].rstrip()), used + needed
    yield first, stop, used


def _characters(word: re.Match[str], size: int) -> Iterator[tuple[int, int]]:
    """Yield a word whole, or in slices where it is larger than a chunk."""
    if count_tokens(word[0]) <= size and len(word[0]) <= _LONGEST_WORD:
        yield word.span()
        return
    step = min(size, _LONGEST_WORD)
    for at in range(word.start(), word.end(), step):
        yield at, min(at + step, word.end())


_LONGEST_WORD: Final = 2_000
"""A run of characters without a space that is longer is no word."""


def _merged(sections: Iterator[_Section], size: int) -> Iterator[_Section]:
    """Join neighbouring sections while one of them is small and both fit into one chunk."""
    held: _Section | None = None
    for section in sections:
        if not section.units:
            continue
        if held is None:
            held = section
        elif held.tokens + section.tokens <= size and min(held.tokens, section.tokens) < (
            _SMALL * size
        ):
            held = _Section(_common(held, section), held.units + section.units)
        else:
            yield held
            held = section
    if held is not None:
        yield held


def _common(one: _Section, other: _Section) -> tuple[tuple[int, str], ...]:
    """Return the headings above both sections; a section's own stands above those within it."""
    shared: list[tuple[int, str]] = []
    for mine, its in zip(one.path, other.path, strict=False):
        if mine != its:
            break
        shared.append(mine)
    return tuple(shared)


def _parts(units: Sequence[_Unit], size: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last unit of each chunk: about equal ones, cut where it hurts least."""
    first, left = 0, sum(unit.tokens for unit in units)
    while left > size:
        target = left / -(-left // size)
        last, taken = _cut(units, first, target, size)
        yield first, last
        first, left = last + 1, left - taken
    if first < len(units):
        yield first, len(units) - 1


def _cut(units: Sequence[_Unit], first: int, target: float, size: int) -> tuple[int, int]:
    """Return the last unit of the chunk that begins at *first*, and the tokens of the chunk."""
    best, best_taken, best_cost, taken = first, units[first].tokens, float("inf"), 0
    for at in range(first, len(units) - 1):
        taken += units[at].tokens
        if taken > size:
            break
        cost = abs(taken - target) / size + units[at + 1].cost
        if cost < best_cost:
            best, best_taken, best_cost = at, taken, cost
    return best, best_taken
