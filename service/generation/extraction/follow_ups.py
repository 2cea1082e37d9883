"""Read what answers a follow-up query in the light of the turn before.

Who asks on has read the last answer, and mostly asks on about its documents: what it told comes
after what it did not, and what stands beside that before what stands elsewhere.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.sections import Section
from service.generation.extraction.statements.worth import FACTS
from service.generation.extraction.weighted_query import WeightedQuery
from service.generation.generator import PastTurn, Prompt
from service.language import content_terms

_TOLD: Final = 2.0
"""What it says against a whole that the turn before was told it."""
_STAYS: Final = 0.3
"""What it says for a whole that it is in a document of the last answer."""
_LEANS: Final = 1.5
"""The same besides where the query says nothing by itself."""
_GOES_ON: Final = 0.7
"""The same for one of a section that was told from, where the query points back."""
_SAYS_ENOUGH: Final = 10.0
"""What the words of a query tell that stands alone: one that is rare and one that is common."""
_LINES: Final = re.compile(r"(?<=[.!?。！？])\s+|\n")
_LINE: Final = 20
"""Characters of a line of an answer by which it is known again."""
_KNOWN: Final = 20
"""Lines of an answer that are looked for."""


def after_last_turn(
    query: WeightedQuery, ranked: list[ScoredWhole], prompt: Prompt
) -> list[ScoredWhole]:
    """Return *ranked* as it answers after the last turn; who asks the same again is told it again.

    A query that hardly says what it is about is about the documents of the last answer.
    """
    if (last := _last(prompt)) is None:
        return ranked
    asked = prompt.asked or prompt.query
    terms = content_terms.of(asked, query.language)
    there = [source.document in last.documents for source in prompt.sources]
    stays = goes_on = 0.0
    if not _leaves(terms, query, ranked, there):
        leans = max(0.0, 1 - content_terms.total_weight(set(terms)) / _SAYS_ENOUGH)
        stays, goes_on = _STAYS + _LEANS * leans, _GOES_ON * bool(prompt.asked)
    lines = list(itertools.islice(_told_lines(last.answer), _KNOWN))
    sections = {id(one.section): one.section for one in ranked}
    read = {name for name, section in sections.items() if _has_any(section, lines)}
    scored = list[ScoredWhole]()
    for one in ranked:
        told = all(block.text in last.answer for block in one.whole.blocks)
        score = one.score - _TOLD * told + stays * there[one.page.rank]
        scored.append(one._replace(score=score + goes_on * (id(one.section) in read)))
    return sorted(scored, key=lambda one: -one.score)


def _last(prompt: Prompt) -> PastTurn | None:
    """Return the turn before, None where it told nothing, or where the same is asked again."""
    last = prompt.history[-1] if prompt.history else None
    if last is None or not last.answer or last.query.strip() == (prompt.asked or prompt.query):
        return None
    return last


def _leaves(
    terms: Sequence[str],
    query: WeightedQuery,
    ranked: Sequence[ScoredWhole],
    there: Sequence[bool],
) -> bool:
    """Tell whether the most telling of *terms* is in headings of other documents only.

    A sentence may tell a fact anywhere, whatever stands above it.
    """
    if not terms or query.kind in FACTS:
        return False
    most = max(terms, key=content_terms.weight)
    return {there[one.page.rank] for one in ranked if most in query.asked(one.above)} == {False}


def _told_lines(answer: str) -> Iterator[str]:
    return (line.strip() for line in _LINES.split(answer) if len(line.strip()) >= _LINE)


def _has_any(section: Section, lines: Sequence[str]) -> bool:
    return any(
        line in block.text for whole in section.wholes for block in whole.blocks for line in lines
    )
