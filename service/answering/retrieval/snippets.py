"""Show where a document answers: snippets, extractive answers and segments.

All are verbatim; a snippet is HTML, with the words of the query in bold.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from service.answering.retrieval import pages
from service.corpus.index import Chunk, Hit
from service.language import content_terms, detection, sentences
from sessions import names

ANSWERS: Final = 5
"""Extractive answers of one result, at most."""
SEGMENTS: Final = 10
"""Extractive segments of one result, at most."""
NEIGHBOURS: Final = 3
"""Segments on either side of a segment, at most."""

_SNIPPET: Final = 240
_ANSWER: Final = 400
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SAYS: Final = (".", "!", ":", ";", "…", "。", "！", ")", '"', "”", "»")
"""What ends a line that is no heading."""
_ITEM: Final = re.compile(r"(?:[-*•–]|\d+[.)])\s|[^|\n]*\|")
"""Begins an item of a list or a row of a table."""
_NOTHING: Final = "No snippet is available for this page."


class QueryTerms(NamedTuple):
    """What the query says, in terms of its language."""

    language: str
    terms: frozenset[str]


class Text(NamedTuple):
    """A text that may answer: where it stands, and the headings above it, outermost first."""

    text: str
    page: str = ""
    headings: tuple[str, ...] = ()


class _Sentence(NamedTuple):
    """A sentence of a section of a text, and how much of the query it has."""

    start: int
    end: int
    section: int
    score: float


class _SentenceRun(NamedTuple):
    """A run of sentences that answers as well as *score* says."""

    score: float
    text: str


def query_terms(query: str, texts: Iterable[str] = ()) -> QueryTerms:
    """Return the terms of *query*, put to *texts*, that tell something, or all where none does."""
    language = detection.detect_in(query, texts)
    telling = content_terms.of(query, language) or content_terms.all_of(query, language)
    return QueryTerms(language, frozenset(telling))


def snippets(query: QueryTerms, hits: Sequence[Hit], count: int) -> list[dict[str, Any]]:
    """Return *count* snippets, from the best chunks; one that says so where there is no text."""
    return snippets_of(query, [hit.chunk.text for hit in hits[:count]])


def snippets_of(query: QueryTerms, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the snippet of each of *texts*; one that says so where there is no text."""
    found = [_passage(query, text, _SNIPPET) for text in texts]
    shown = [
        {"snippet": _bold(query, passage.text), "snippet_status": "SUCCESS"}
        for passage in found
        if passage is not None
    ]
    return shown or [{"snippet": _NOTHING, "snippet_status": "NO_SNIPPET_AVAILABLE"}]


def answers(query: QueryTerms, hits: Sequence[Hit], count: int) -> list[dict[str, Any]]:
    """Return at most *count* passages of the chunks of a document; see `answers_of`."""
    chunks = [hit.chunk for hit in hits[:SEGMENTS]]
    texts = [Text(chunk.text, pages.identifier(chunk.page), chunk.headings) for chunk in chunks]
    return answers_of(query, texts, count)


def answers_of(query: QueryTerms, texts: Sequence[Text], count: int) -> list[dict[str, Any]]:
    """Return at most *count* distinct passages of *texts* that answer, the best first.

    A passage is whole sentences of one section, without a heading, and no more than a share of
    what there is: where several are asked for, the first does not swallow them all.
    """
    count = min(count, ANSWERS)
    read = [_sentences(query, text) for text in texts]
    size = sum(one.end - one.start for found in read for one in found)
    length = min(_ANSWER, size // max(1, count))
    order = [(at, n) for at, found in enumerate(read) for n in range(len(found))]
    order.sort(key=lambda position: -read[position[0]][position[1]].score)
    taken: set[tuple[int, int]] = set()
    shown: list[dict[str, Any]] = []
    for at, first in order:
        if len(shown) == count:
            break
        if (at, first) in taken:
            continue
        last = _extended(read[at], first, length, {n for where, n in taken if where == at})
        taken |= {(at, n) for n in range(first, last + 1)}
        text = texts[at].text[read[at][first].start : read[at][last].end]
        if not any(text in one["content"] or one["content"] in text for one in shown):
            shown.append({"content": text, "pageNumber": texts[at].page})
    return shown


def _extended(of_text: Sequence[_Sentence], first: int, length: int, taken: set[int]) -> int:
    """Return the last sentence of the passage that begins with the *first*."""
    last = first
    while (
        last + 1 < len(of_text)
        and last + 1 not in taken
        and of_text[last + 1].section == of_text[first].section
        and of_text[last + 1].end - of_text[first].start <= length
        and (first, last + 1) != (0, len(of_text) - 1)  # all of a segment is the segment
    ):
        last += 1
    return last


def _sentences(query: QueryTerms, text: Text) -> list[_Sentence]:
    """Return the sentences of *text* but for headings, which tell what those below are about."""
    known = {" ".join(heading.casefold().split()) for heading in text.headings}
    above = text.headings[-1] if text.headings else ""
    found: list[_Sentence] = []
    section = 0
    for start, end in sentences.spans(text.text, query.language):
        said = text.text[start:end]
        if " ".join(said.casefold().split()) in known or _is_heading(text.text, start, end):
            section, above = section + 1, said
        else:
            # What the heading says need not be said again; of equals the first one goes first.
            score = _share(query, f"{above}\n{said}")
            found.append(_Sentence(start, end, section, score))
    return found


def _is_heading(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence is one line between blank ones that says nothing by itself."""
    said = text[start:end]
    alone = not text[:start].strip() or text[:start].endswith("\n\n")
    return (
        alone
        and text.startswith("\n\n", end)
        and bool(text[end:].strip())
        and "\n" not in said
        and not said.endswith(_SAYS)
        and not _ITEM.match(said)
    )


def segments(
    hits: Sequence[Hit],
    whole: Sequence[Chunk],
    count: int,
    before: int,
    after: int,
    *,
    scored: bool,
) -> list[dict[str, Any]]:
    """Return at most *count* chunks of a document; *whole* are all its chunks, for neighbours."""
    positions = {chunk.name: at for at, chunk in enumerate(whole)}
    shown: list[dict[str, Any]] = []
    for hit in [hit for hit in hits if hit.chunk.text][: min(count, SEGMENTS)]:
        segment = _segment(hit.chunk)
        if scored:
            segment["relevanceScore"] = hit.relevance
        at = positions.get(hit.chunk.name)
        if at is not None and before:
            first = max(0, at - min(before, NEIGHBOURS))
            segment["previous_segments"] = [_segment(chunk) for chunk in whole[first:at]]
        if at is not None and after:
            last = at + 1 + min(after, NEIGHBOURS)
            segment["next_segments"] = [_segment(chunk) for chunk in whole[at + 1 : last]]
        shown.append(segment)
    return shown


def _segment(chunk: Chunk) -> dict[str, Any]:
    return {
        "content": chunk.text,
        "id": names.last_id(chunk.name),
        # Empty, not absent, where a format has no pages: programs index the key without a look, and
        # some append it to the link.
        "pageNumber": pages.identifier(chunk.page),
    }


def _passage(query: QueryTerms, text: str, length: int) -> _SentenceRun | None:
    """Return the sentence of *text* that has most of the query, with as many after it as fit."""
    spans = sentences.spans(text, query.language)
    if not spans:
        return None
    scores = [_share(query, text[start:end]) for start, end in spans]
    best = max(range(len(spans)), key=lambda at: (scores[at], -at))
    start, end = spans[best]
    for _, further in spans[best + 1 :]:
        if further - start > length:
            break
        end = further
    return _SentenceRun(scores[best], text[start:end])


def _share(query: QueryTerms, sentence: str) -> float:
    """Return how much of *query* the *sentence* has, by how much each term tells."""
    total = content_terms.total_weight(query.terms) or 1.0
    known = query.terms & set(content_terms.all_of(sentence, query.language))
    return content_terms.total_weight(known) / total


def _bold(query: QueryTerms, text: str) -> str:
    """Write *text* as HTML, with the words of *query* in bold; long text is cut at a word."""
    return "".join(_marked(query, _cut(text)))


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 2 * _SNIPPET else flat[: 2 * _SNIPPET].rpartition(" ")[0] + " …"


def _marked(query: QueryTerms, text: str) -> Iterator[str]:
    at = 0
    for found in _WORD.finditer(text):
        yield html.escape(text[at : found.start()], quote=False)
        word = html.escape(found[0], quote=False)
        yield f"<b>{word}</b>" if _is_of(query, found[0]) else word
        at = found.end()
    yield html.escape(text[at:], quote=False)


def _is_of(query: QueryTerms, word: str) -> bool:
    return any(term in query.terms for term in content_terms.all_of(word, query.language))
