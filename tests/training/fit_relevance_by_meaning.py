"""Fit what the meaning of a chunk adds to its relevance by words (`relevance.with_meaning`).

    pip install 'colloquy[embeddings]'
    COLLOQUY_EVALUATION=FOLDER python -m tests.training.fit_relevance_by_meaning FOLDER

FOLDER is read by `relevance_cases`; besides, headings of a help centre in Spanish, French and
Chinese are put to its English pages and to the other portals. All chunks of the portals are
embedded, 75 a second, so those of some 2,000 chunks are best.

The relevance by words stays as it is: refit this when its weights have moved. To the logarithm of
its odds comes ``weight * (cosine - nothing)``, or the meaning speaks alone from a cosine of its
own. Of the numbers in `GRID` those are taken that let the fewest foreign questions pass the limit
of an answer, with no more of a portal's own refused than by words but for `MORE`. For each portal
it is printed what numbers do that saw nothing of its family: how many of a thousand questions of
each kind go wrong by words, and by both. The numbers in use came of these portals and of some
2,000 chunks each of three larger ones; of few portals come others, which follow-ups do not bear.

Tried and lost: what meaning makes good for a name that a chunk lacks (nine of ten questions about
another product pass, and by words three); no bound to what speaks against a chunk (twice as many
follow-ups are refused); a lower limit of the words beside the cosine, which changes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import itertools
import math
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.answering.retrieval import scopes
from service.corpus.following import meaning_search
from service.corpus.index import SearchContext, SearchScope
from service.corpus.ranking import relevance, scoped_search
from service.corpus.ranking.candidates import MeaningSearch
from service.corpus.ranking.relevance import Features
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.vectors import document_embedding, query_meanings, vector_store
from service.corpus.vectors.query_meanings import Meaning
from service.corpus.vectors.vector_table import VectorTable
from service.embeddings.embedder import TextKind, unit
from service.embeddings.local import LocalEmbedder
from tests.questions.local_portals import STORE
from tests.training import relevance_cases
from tests.training.relevance_cases import Case
from tests.training.train_relevance import FAMILIES

HELP_CENTRE: Final = "login_gov_en"
PORTALS: Final = (
    *("d2d_dmv", "d2d_studentaid", HELP_CENTRE),
    *("guide", "login_gov", "sendgrid", "sqlite_html", "va_pdf"),
)
CHUNKS: Final = 10
BATCH: Final = 64
MORE: Final = 0.003
"""The share of a portal's own questions that may be refused beside those that words refuse."""
DEAR: Final = 10.0
"""What one more beyond that costs: as much as a tenth of the foreign ones of a kind."""


class Numbers(NamedTuple):
    """What `relevance.with_meaning` counts with."""

    weight: float
    nothing: float
    alone: float


GRID: Final = [
    Numbers(*each)
    for each in itertools.product((4.5, 5.6, 7.0), (0.3, 0.33, 0.36, 0.4), (0.44, 0.47, 0.5))
]
_AGAINST: Final = -1.0
_OF_COSINE_ALONE: Final = 10.0


class Judged(NamedTuple):
    """A question: its relevance by words, and the first hits by both with their cosines."""

    family: str
    kind: str
    good: bool
    by_words: float
    hits: Sequence[tuple[Features, float]]


def main() -> None:
    """Measure, fit, and print what was learnt."""
    parser = argparse.ArgumentParser(description="Fit what meaning adds to relevance.")
    parser.add_argument("folder", type=Path, help="holds corpora, turns and classify")
    parser.add_argument("--portals", default=",".join(PORTALS))
    arguments = parser.parse_args()
    names = arguments.portals.split(",")
    judged = list(asyncio.run(measured(arguments.folder, names)))
    told: list[tuple[Judged, bool]] = []
    for family in sorted({one.family for one in judged}):
        numbers = fit([one for one in judged if one.family != family])
        own = [(one, passes(one, numbers)) for one in judged if one.family == family]
        told += own
        sys.stdout.write(f"{family:16}{report(own)}\n")
    sys.stdout.write(f"{'all':16}{report(told)}\n{fit(judged)}\n")


async def measured(folder: Path, names: Sequence[str]) -> list[Judged]:
    """Put the questions of the portals with these *names* to them."""
    embedder, found, seen = LocalEmbedder(), list[Judged](), set[str]()
    for portal in relevance_cases.portals(folder, names):
        if portal.name in seen:  # once more, among junk
            continue
        seen.add(portal.name)
        family = next((f for f in FAMILIES if portal.name.startswith(f)), portal.name)
        reader, table = await indexed(portal.contents, embedder)
        for case in (*portal.cases, *foreign(folder, portal.name)):
            query = await meaning(case, embedder)
            by_meaning = meaning_search.search(query, {STORE: table}.get, {STORE: (reader, reader)})
            by_words = searched(reader, case, None)
            words = max((relevance.estimate(of) for of, _ in by_words), default=0.0)
            hits = searched(reader, case, by_meaning)
            found.append(Judged(family, case.kind, case.good, words, hits))
    return found


def searched(
    reader: IndexReader, case: Case, by_meaning: MeaningSearch | None
) -> list[tuple[Features, float]]:
    """Return what speaks for the first hits of *case*, and their cosines, 0 for none."""
    plan = scoped_search.plan(SearchScope(data_stores=(STORE,), context=case.context))
    best = scoped_search.ranked([(STORE, reader)], case.query, plan, CHUNKS, by_meaning)
    cosines = [one.candidate.cosine or 0.0 for one in best]
    return list(zip(scoped_search.features(best), cosines, strict=True))


async def meaning(case: Case, embedder: LocalEmbedder) -> Meaning:
    """Return what the query of *case* means after the one before it."""
    texts = (case.query, *case.context.queries[:1])
    own, *before = await embedder.embed(texts, TextKind.QUERY)
    for each in before:
        own = unit(a + query_meanings.EARLIER * b for a, b in zip(own, each, strict=True))
    return Meaning(own, embedder.share)


async def indexed(
    contents: Mapping[str, IndexContent], embedder: LocalEmbedder
) -> tuple[IndexReader, VectorTable]:
    """Return a reader of *contents*, and their vectors."""
    writer, table = IndexWriter(), VectorTable()
    writer.apply(dict(contents))
    for document_id, content in contents.items():
        texts = document_embedding.texts_of(content)
        vectors: list[array[float]] = []
        for at in range(0, len(texts), BATCH):
            vectors += await embedder.embed(texts[at : at + BATCH], TextKind.DOCUMENT)
        table.put({document_id: vector_store.compress(b"", vectors)})
    table.settle()
    return writer.reader, table


def foreign(folder: Path, portal: str) -> Iterator[Case]:
    """Yield headings of the help centre in other languages: of its English pages, and of others."""
    if portal.startswith(HELP_CENTRE.removesuffix("_en")) and portal != HELP_CENTRE:
        return
    for row in relevance_cases.rows(folder / "turns" / "login_gov.jsonl.gz"):
        if row["portal"] != HELP_CENTRE:
            good = portal == HELP_CENTRE
            kind = "tongue" if good else "foreign tongue"
            yield Case(row["query"], SearchContext(), good, kind)


def fit(judged: Sequence[Judged]) -> Numbers:
    """Return the best numbers of `GRID`."""
    return min(GRID, key=lambda numbers: cost(judged, numbers))


def cost(judged: Sequence[Judged], numbers: Numbers) -> float:
    """Return what *numbers* cost: the foreign questions of each kind that pass, and its own lost.

    Those in another language than the portal's are a kind of their own, of which none is too many.
    """
    wrong = collections.defaultdict[str, list[bool]](list)
    more = 0
    own = 0
    for one in judged:
        right = passes(one, numbers) == one.good
        if one.good and one.kind != "tongue":
            own += 1
            more += (not right) - (one.by_words < scopes.RELEVANT)
        else:
            wrong[one.kind.partition(",")[0]].append(not right)
    beyond = max(0.0, more - MORE * own)
    return DEAR * beyond + 100 * sum(sum(each) / len(each) for each in wrong.values())


def passes(one: Judged, numbers: Numbers) -> bool:
    """Tell whether a question is answered."""
    return any(relevance_of(of, cosine, numbers) >= scopes.RELEVANT for of, cosine in one.hits)


def relevance_of(of: Features, cosine: float, numbers: Numbers) -> float:
    """Return what `relevance.with_meaning` would, if it counted with *numbers*."""
    by_words = min(1 - 1e-12, max(1e-12, relevance.estimate(of)))
    words = math.log(by_words / (1 - by_words))
    meant = max(_AGAINST, numbers.weight * (cosine - numbers.nothing))
    if of.named or of.alien or of.unread:
        signal = words + min(0.0, meant)
    else:
        signal = max(words + meant, _OF_COSINE_ALONE * (cosine - numbers.alone))
    return 1 / (1 + math.exp(-signal))


def report(told: Sequence[tuple[Judged, bool]]) -> str:
    """Return for each kind of question how many of a thousand go wrong, by words and by both."""
    found: list[str] = []
    for kind in sorted({one.kind.partition(",")[0] for one, _ in told}):
        some = [(one, passed) for one, passed in told if one.kind.partition(",")[0] == kind]
        by_words = sum((one.by_words >= scopes.RELEVANT) != one.good for one, _ in some)
        by_both = sum(passed != one.good for one, passed in some)
        found.append(f"{kind} {1000 * by_words // len(some)} {1000 * by_both // len(some)}")
    return "; ".join(found)


if __name__ == "__main__":
    main()
