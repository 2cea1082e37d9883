"""Suggest questions that the portal answers as well.

Headings are the portal's own words for what it can answer (`heading_questions`). Whether a question
is answered is for `related_checks` to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.answering.related import heading_questions
from service.corpus.index import Chunk
from service.language import content_terms, detection

MOST: Final = 5
"""Questions that one answer suggests."""
SUGGESTED: Final = 2 * MOST
"""Suggestions that are made: about half of them are answered from where they come from."""
_ALIKE: Final = 0.75
"""Two questions with such a share of their terms in common are one: nobody is offered both."""


class RelatedQuestion(NamedTuple):
    """A question, and the chunk whose headings or lines it is made of.

    It is *within* where it is a line of the text: only a part of the chunk answers it then.
    """

    question: str
    chunk: Chunk
    within: bool = False


def suggestions(
    query: str,
    chunks: Sequence[Chunk],
    is_near: Callable[[str, Chunk], bool] = lambda question, chunk: True,  # noqa: ARG005
) -> list[RelatedQuestion]:
    """Return distinct questions that *chunks* seem to answer and *query* does not ask.

    They are `SUGGESTED` at most, in the language of *query*, and such that *is_near* holds for the
    question and its chunk. Sections that retrieval ranked high come first, then questions within
    the text, then the headings above.
    """
    taken, known = list[RelatedQuestion](), [_meaning(query)]
    spoken = detection.detect_in(query, [chunk.text for chunk in chunks])
    for heading, chunk in _headings(chunks):
        question = heading_questions.as_question(heading, chunk.text)
        if not question or detection.detect(question, spoken) != spoken:
            continue
        meaning = _meaning(question)
        if not meaning or any(_alike(meaning, other) for other in known):
            continue
        if not is_near(question, chunk):
            continue
        known.append(meaning)
        within = heading not in (chunk.title, *chunk.headings)
        taken.append(RelatedQuestion(question, chunk, within))
        if len(taken) == SUGGESTED:
            break
    return taken


def _headings(chunks: Sequence[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """Yield headings with their chunks: the sections' own, then those within, then above."""
    for chunk in chunks:
        if chunk.headings:
            yield chunk.headings[-1], chunk
    for chunk in chunks:
        for line in _questions_in(chunk.text.splitlines()):
            yield line, chunk
    for chunk in chunks:
        for heading in reversed((chunk.title, *chunk.headings[:-1])):
            yield heading, chunk


def _questions_in(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are questions by themselves and are followed by something."""
    before = ""
    for line in lines:
        if line.strip() and before:
            yield before
        bare = line.strip()
        asks = bare.endswith(("?", "？")) and len(bare.split()) <= heading_questions.LONGEST
        before = bare if asks else ("" if bare else before)


def _meaning(text: str) -> frozenset[str]:
    return frozenset(content_terms.of(text, detection.detect(text)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two questions ask for the same."""
    return len(one & other) >= _ALIKE * max(len(one), len(other), 1)
