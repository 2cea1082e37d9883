"""Join the sources of a document into its sections, each with its blocks in order.

A source is a chunk: it may begin in the middle of a section and end before the end of it. Sources
of one document are read in its order, so that what lies in several of them is one again. A question
in the text opens a section as a heading does. What only points to other sections is told apart.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

import msgspec

from service.blocks import Block, BlockKind, heading_text
from service.generation.extraction import cues, wholes
from service.generation.extraction.wholes import SourceBlock, Whole
from service.generation.generator import Source
from service.language import content_terms, detection, function_words

_LINE: Final = re.compile(r"[^\n]*\S")
_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?\d{1,3}[.)])\s")
_ASKS: Final = re.compile(
    r"(?:#+ )?(?:what|how|why|who|where|when|which)\b.*[:：]\s*$", re.IGNORECASE
)
_LED: Final = frozenset((BlockKind.ITEM, BlockKind.ROW, BlockKind.CODE))
_HEADINGS: Final = frozenset((BlockKind.HEADING, BlockKind.QUESTION))
_QUESTION_LEVEL: Final = 20
"""A question opens a section below those of all headings."""


class Section(msgspec.Struct, frozen=True):
    """What stands under one heading, without the sections below it."""

    path: tuple[str, ...]
    """The headings above it and its own, outermost first; without the title of the document."""
    level: int
    """That of its heading, 0 where the sources do not have it."""
    wholes: tuple[Whole, ...]
    answer: int = 0
    """How many of them answer its heading, where that is a question; the others go on behind it."""

    @property
    def heading(self) -> str:
        """Its own heading, "" where it stands above all headings."""
        return self.path[-1] if self.path else ""


class SourcePage(msgspec.Struct, frozen=True):
    """What the sources have of one document."""

    title: str
    rank: int
    """The place of its best source."""
    sections: tuple[Section, ...]
    relevances: tuple[float, ...] = ()
    """How relevant each source is, by its number; those of other documents, too."""


def read(sources: Sequence[Source], language: str = "en") -> list[SourcePage]:
    """Return the documents of *sources*, that of the first source first."""
    relevances = tuple(source.relevance for source in sources)
    numbers = dict[str, list[int]]()
    for number, source in enumerate(sources):
        numbers.setdefault(source.document or f"\n{number}", []).append(number)
    return [
        SourcePage(
            sources[own[0]].title,
            own[0],
            tuple(_Sections(sources[own[0]].title).read(sources, own, language)),
            relevances,
        )
        for own in numbers.values()
    ]


class _Sections:
    """Reads the sources of one document, in its order."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._path: list[tuple[int, str]] = []
        """Levels and texts of the open headings; 0 for those that the sources do not have."""
        self._level = 0
        self._blocks: list[SourceBlock] = []
        self._bare: SourceBlock | None = None
        """The open heading, until something stands under it."""
        self._stated = list[SourceBlock]()
        """Headings that say what they have to say themselves: "Friday: 8 am to 5 pm"."""
        self._under: tuple[str, ...] = ()
        """The headings above these."""
        self._answered = 0
        """Blocks of the open section that answer the question above them, 0 where it is open."""
        self._answer: int | None = None
        """The whole of the open question and its answer, None where they are not told."""

    def read(
        self, sources: Sequence[Source], own: Sequence[int], language: str
    ) -> Iterator[Section]:
        """Yield the sections of the sources with the numbers *own*."""
        after = -1
        for number in sorted(own, key=lambda n: (sources[n].place, n)):
            source = sources[number]
            blocks = blocks_of(source.text, source.blocks, language)
            above = _above(source, blocks)
            if source.place != after or [text for _, text in self._path] != above:
                yield from self._close()
                yield from self._close_stated()
                self._path = [(0, text) for text in above]
                self._level = 0
            for block in blocks:
                yield from self._take(block, number)
            after = source.place + 1
        yield from self._close()
        yield from self._close_stated()

    def _take(self, block: SourceBlock, source: int) -> Iterator[Section]:
        if block.kind in _HEADINGS:
            yield from self._close(block.level)
            self._open(msgspec.structs.replace(block, source=source))
            if leads(block.text):
                lead = msgspec.structs.replace(block, kind=BlockKind.LEAD, whole=wholes.UNKNOWN)
                self._blocks.append(msgspec.structs.replace(lead, source=source))
        else:
            if self._answer is not None and block.kind in _LED and self._announced(block):
                self._answer = block.whole
            elif self._answer is not None and block.whole != self._answer:
                if self._blocks and self._level:
                    self._answered = len(self._blocks)
                elif self._blocks:
                    yield from self._close()
                    # Behind its answer a question that is no heading heads nothing.
                    if self._path and self._path[-1][0] == _QUESTION_LEVEL:
                        self._path.pop()
                self._answer = None
            if len(self._blocks) == 1 and _is_title(self._blocks[0]) and block.kind not in _LED:
                self._blocks.clear()
            # An answer has the whole of its question: its blocks are told apart by their form.
            whole = block.whole if self._answer is None else wholes.UNKNOWN
            self._blocks.append(msgspec.structs.replace(block, source=source, whole=whole))

    def _announced(self, block: SourceBlock) -> bool:
        """Tell whether the answer so far leads to *block*: "There are two ways.", "by running"."""
        if not self._blocks:
            return False
        last = self._blocks[-1].text
        return cues.announces(last) or (block.kind is BlockKind.CODE and cues.goes_on(last))

    def _open(self, block: SourceBlock) -> None:
        """Begin the section of a heading or a question."""
        is_question = block.kind is BlockKind.QUESTION
        level = _QUESTION_LEVEL if is_question else max(block.level, 1)
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        text = heading_text(block.text)
        if text != self._title or self._path:
            self._path.append((level, text))
        self._level = block.level if is_question else level
        self._bare = None if is_question else block
        self._answer = block.whole if is_question else None

    def _close(self, level: int = 0) -> Iterator[Section]:
        """Yield what stands under the open heading; *level* is that of the next one."""
        path = tuple(text for _, text in self._path)
        bare = self._bare
        if self._blocks:
            yield from self._close_stated()
            joined = wholes.join(self._blocks)
            ends = itertools.accumulate(len(whole.blocks) for whole in joined)
            answer = 1 + sum(end < self._answered for end in ends) if self._answered else 0
            yield Section(path, self._level, joined, answer)
        elif bare is not None and level <= bare.level and _states(bare.text):
            above = path[:-1] if path[-1:] == (heading_text(bare.text),) else path
            if above != self._under:
                yield from self._close_stated()
            self._under = above
            text = bare.text.strip("# \n")
            item = msgspec.structs.replace(bare, kind=BlockKind.ITEM, text=text, level=0)
            self._stated.append(msgspec.structs.replace(item, whole=wholes.UNKNOWN))
        self._bare = None
        self._blocks = []
        self._answered = 0

    def _close_stated(self) -> Iterator[Section]:
        """Yield what the headings without anything under them state, as a list."""
        if self._stated:
            yield Section(self._under, self._level, wholes.join(self._stated))
        self._stated = []


def _is_title(block: SourceBlock) -> bool:
    """Tell whether *block* asks what stands under it: "What traps are:" needs no telling."""
    return block.kind is BlockKind.LEAD and _ASKS.match(block.text) is not None


def _states(heading: str) -> bool:
    """Tell whether *heading* is no name of what stands under it, but says when, where or whom."""
    return any(cues.fit(cue, heading) == 1.0 for cue in ("CLOCK", "PHONE", "EMAIL"))


def leads(heading: str) -> bool:
    """Tell whether what stands under *heading* cannot be understood without it: it is a lead."""
    return heading.rstrip().endswith((":", "："))


def _above(source: Source, blocks: Sequence[SourceBlock]) -> list[str]:
    """Return the headings above *source* that it does not have itself."""
    own = {heading_text(block.text) for block in blocks if block.kind in _HEADINGS}
    return [text for text in source.headings if text not in own and text != source.title]


@functools.lru_cache(maxsize=512)
def blocks_of(text: str, blocks: tuple[Block, ...], language: str) -> tuple[SourceBlock, ...]:
    """Return the blocks of a source with their terms; what is asked often stays read."""
    found = list[SourceBlock]()
    for block in blocks or _lines(text):
        own = text[block.start : block.end].strip()
        if own:
            terms = tuple(content_terms.of(own, language))
            found.append(SourceBlock(block.kind, own, block.level, block.whole, terms))
    return tuple(found)


def _lines(text: str) -> Iterator[Block]:
    """Yield the lines of a text of which nothing is known, items apart from other lines."""
    for line in _LINE.finditer(text):
        start = line.start() + len(line[0]) - len(line[0].lstrip())
        kind = BlockKind.ITEM if _ITEM.match(text, start) else BlockKind.TEXT
        yield Block(kind, start, line.end())


def points_elsewhere(section: Section, whole: Whole, headings: Set[str]) -> bool:
    """Tell whether a whole of *section* is made of links, or is of a table of contents.

    It is one of the *headings* that are there, which are without their numbers.
    """
    if all(cues.is_furniture(block.text) for block in whole.blocks):
        return True
    if _named_by(whole.text) in headings or (
        _TEASER.match(whole.text) and _teases(section, headings)
    ):
        return True
    if whole.kind is wholes.WholeKind.PARAGRAPH and _lists_questions(whole.text):
        return True
    items = [block.text for block in whole.blocks if block.kind is BlockKind.ITEM]
    pointing = sum(
        item.endswith(("?", "？"))
        or _named_by(item) in headings
        or cues.is_line_of_contents(wholes.unmarked(item))
        for item in items
    )
    return len(items) > 1 and pointing > _POINTING * len(items)


def _lists_questions(text: str) -> bool:
    """Tell whether most sentences of *text* are questions, which are answered elsewhere."""
    ends = _SENTENCE_ENDS.findall(text)
    asking = sum(end in "?？" for end in ends)
    return asking >= _SEVERAL and asking >= _POINTING * len(ends)


_SENTENCE_ENDS: Final = re.compile(r"[.!?](?=\s|$)|[。！？]")
_POINTING: Final = 0.6
"""A list of which more items are questions, or headings of the page, is one of contents."""
_SEVERAL: Final = 2
"""A question that an author asks and answers may stand alone, or with one sentence."""


def _teases(section: Section, headings: Set[str]) -> bool:
    """Tell whether a section names other pages, and says in a line each what they tell."""
    teasers = (_TEASER.match(whole.text) for whole in section.wholes)
    return any(_named_by(found[1]) in headings for found in teasers if found)


_TEASER: Final = re.compile(r"([^\n]{3,120}?) [—–] [^\n]{1,300}\Z")
"""A line of a page that lists others: "Delivery — How long a parcel takes."."""


def _named_by(text: str) -> str:
    return numberless(wholes.unmarked(text))


def numberless(heading: str) -> str:
    """Return *heading* as it is compared: tables of contents may leave the number out."""
    return _NUMBER.sub("", heading).casefold()


_NUMBER: Final = re.compile(r"\A(?:\d{1,3}\.)+(?:\d{1,3})?\s+")


def opening(texts: Sequence[Whole]) -> str:
    """Return the beginning of *texts* that tells their language: of each its longest prose."""
    # A term or a label is short, and the same in all languages, as code is.
    prose = (
        [one.text for one in whole.blocks if one.kind is not BlockKind.CODE] for whole in texts
    )
    longest = [max(blocks, key=len) for blocks in itertools.islice(filter(None, prose), _OPENED)]
    return " ".join(longest)[:_BEGINNING]


def headings(page: SourcePage) -> str:
    """Return the title and the headings of *page*, which are what is translated first."""
    headings = (heading for section in page.sections for heading in section.path)
    return ". ".join(dict.fromkeys((page.title, *headings)))


def foreign(opening: str, language: str) -> float:
    """Return -3 where what begins so is clearly in another language than *language*, else 0."""
    words = opening.lower().split()
    known = function_words.of(language)
    if words and sum(word in known for word in words) >= _FAMILIAR * len(words):
        return 0.0
    told = detection.detect(opening, language)
    return -3.0 if told[:2] != language[:2] else 0.0


_OPENED: Final = 5
_BEGINNING: Final = 600
"""Characters of a page or a section that tell its language."""
_FAMILIAR: Final = 0.25
"""With this share of function words of a language a text is in it, without further reading."""
