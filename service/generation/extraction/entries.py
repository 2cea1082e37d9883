"""Tell the entries of a reference: a function, a setting or a command, and a line on what it does.

Who asks how to do a thing, what it is or why, is told that by prose and steps. An entry has the
same words in one short line, and answers who asks for it by its name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from service.blocks import Block, BlockKind, heading_text
from service.generation.extraction import cues
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.sections import Section, SourcePage
from service.generation.extraction.wholes import WholeKind
from service.language.question_kinds import QuestionKind as Q

_COUNTS: Final = {
    Q.HOW_TO: 1.8,
    Q.DEFINITION: 1.8,
    Q.REASON: 1.8,
    Q.LIST: 1.2,
    Q.COMPARISON: 1.2,
    Q.OTHER: 1.2,
    Q.YES_NO: 1.2,
}
"""What it takes from a whole, by kind of question, that it is an entry and nothing else."""
_CODED: Final = re.compile(
    r"[@%&*]?_?[A-Za-z]\w*(?:(?:::|->)\w+)+(?:\W.*)?"  # RT::Config, Ticket->Load
    r"|\w[\w.:]*\(.*|[A-Za-z]\w*(?:\.\w+)+"  # get_stats(px), Proxy.name
    r"|_\w+(?: .*)?|[a-z]\w*_\w+(?: .*)?|[A-Z][A-Z0-9]*_[A-Z0-9_]+"  # _load, set_name, NAME_MAX
    r"|\S+ (?:=>|->) .*"
)
"""A name that only programs have, and what is said behind it."""
_HUMPED: Final = re.compile(r"[a-z]\w*[A-Z]\w*(?: .*)?|(?:[A-Z][a-z]+){2,}(?: [A-Z_]{2,}.*)?")
"""One that products may have as well: "LoadUser ID"."""
_LOWER: Final = re.compile(
    r"(?!(?:how|what|why|when|where|which|who|is|are|can|does|do|to|the|an?|\w+ing)\b)"
    r"[a-z][a-z0-9-]*(?: [a-z0-9<>\[\]|-]+){0,3}"
)
"""A name in small letters, as keywords have: "compression offload"."""
_OPTION: Final = re.compile(r"[-+{|]{1,5}\w|\$\w")
"""Begins an option or a setting: "--dry-run", "$Name"."""
_NAMED: Final = 0.6
"""What it says for an entry that its name is that of something in a program."""
_KEYWORD: Final = 0.4
"""The same of a name in small letters, or of an option."""
_ELIDED: Final = 0.6
"""The same of a sentence that says only what something does: "Returns the list of users."."""
_ELIDED_HOW_TO: Final = 0.45
_SEVERAL: Final = 2
_SHARE: Final = 0.3
"""The share of the headings of a page from which on it is a reference."""


def counts(query: WeightedQuery, page: SourcePage, section: Section, at: int) -> float:
    """Return what it takes from the whole *at* of *section* that it is but an entry."""
    if query.kind not in _COUNTS:
        return 0.0
    return _COUNTS[query.kind] * _likeness(query, page, section, at)


def _likeness(query: WeightedQuery, page: SourcePage, section: Section, at: int) -> float:
    """Return how much the whole *at* of *section* is an entry, 0..1; 0 where *query* names it."""
    whole = section.wholes[at]
    defined = whole.kind is WholeKind.DEFINITION
    name = whole.blocks[0].text if defined else section.heading or page.title
    if _names(query.text, name) or _names(query.text, page.title):
        return 0.0
    named = _name(name)
    if not defined and cues.opens(section.heading):
        named = 0.0  # it may be all that explains the thing
    elif named < _NAMED and _CODED.fullmatch(page.title):
        named = _NAMED
    if _HUMPED.fullmatch(name) and not defined and not _is_reference(page):
        named = 0.0
    said = whole.blocks[-1 if defined else 0].text
    if query.kind is Q.HOW_TO:  # what a command does is how that is done
        return min(named + _ELIDED_HOW_TO * cues.elides(said), 1.0)
    return min(named + _ELIDED * (cues.elides(said) or _is_of_other(said, query.text)), 1.0)


def is_most(
    title: str, headings: Sequence[str], text: str, blocks: Sequence[Block], query: str
) -> bool:
    """Tell whether most of a *text* under *headings* is entries, and *query* names none of them."""
    name, begins, entry = headings[-1] if headings else title, True, False
    if _names(query, title) or _names(query, name):
        return False
    held = total = 0
    for block in blocks:
        own = text[block.start : block.end].strip()
        if block.kind in _NAMING:
            name, begins = heading_text(own), True
            if _names(query, name):
                return False
            continue
        if begins:
            entry, begins = _begins(own, title, name, query), False
        total += len(own)
        held += entry * len(own)
    return held > _MOST * total


def _begins(text: str, title: str, name: str, query: str) -> bool:
    """Tell whether an entry of a page with this *title* begins with *name* and *text*."""
    if cues.elides(text) or _is_of_other(text, query):
        return True
    return not cues.opens(name) and max(_name(name), _name(title)) >= _NAMED


_NAMING: Final = frozenset((BlockKind.HEADING, BlockKind.TERM))
_MOST: Final = 0.6
"""The share of a text from which on its entries are most of it."""


def _is_reference(page: SourcePage) -> bool:
    """Tell whether several headings of *page* are names in a program: one may be a product's."""
    headings = {section.heading for section in page.sections}
    named = sum(_name(heading) > 0.0 for heading in headings)
    return named >= _SEVERAL and named >= _SHARE * len(headings)


def _is_of_other(text: str, query: str) -> bool:
    """Tell whether *text* says what a command does of which *query* does not have all words."""
    return any(word not in query.lower() for word in cues.command_told(text).lower().split())


@functools.lru_cache(maxsize=4096)
def _name(name: str) -> float:
    """Return how much *name* is that of something in a program, 0..1."""
    if _CODED.fullmatch(name) or _HUMPED.fullmatch(name):
        return _NAMED
    return _KEYWORD * bool(_LOWER.fullmatch(name) or _OPTION.match(name))


def _names(query: str, name: str) -> bool:
    """Tell whether *query* has *name* as it is spelt, which only who means it writes."""
    word = name.split(maxsplit=1)[0] if name.strip() else ""
    if _LOWER.fullmatch(name):
        return re.search(rf"\b{re.escape(name)}\b", query.lower()) is not None
    return (
        len(word) > 3
        and word in query
        and (_CODED.fullmatch(word) or _HUMPED.fullmatch(word)) is not None
    )
