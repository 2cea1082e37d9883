"""Fit what the meaning of a chunk adds to its relevance by words (`relevance.with_meaning`).

    pip install 'colloquy[embeddings]'
    python -m tests.training.fit_relevance_by_meaning FOLDER [--portals d2d_dmv,d2d_studentaid]

FOLDER holds ``corpora/*.jsonl.gz`` (documents with ``doc_id``, ``portal``, ``title``, ``mime``,
``text``) and ``classify/out_of_domain.jsonl.gz`` (``text``, ``portal``, ``in_domain``). All chunks
of the portals are embedded, 75 a second, so portals of some 1,000 chunks are best.

The relevance by words stays as it is: to the logarithm of its odds comes ``weight * (cosine -
middle)``, or the meaning speaks alone, with numbers of its own; the larger of both counts. They are
fitted on all questions together, those alone also on headings of a help centre in Spanish, French
and Chinese, put to its English pages and to the other portals. For each portal it is printed how
well the numbers in use tell its questions from others.

The numbers in use came of two public-service portals: the area under the curve rose from .976 and
.987 to .993 and .994, of their own questions 2.5 % are refused at one half instead of 12.5 %, of
those in other languages 58 % pass instead of 3 %, and 2.5 % of those put to the wrong portal.
Tried and lost: a smaller weight of words beside the cosine, which loses a point on questions in
the language of the portal; the distance of the cosine from the mean, in deviations, which tells
little (area .45 to .6).
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import gzip
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.corpus import stored_documents
from service.corpus.index import SearchScope
from service.corpus.parsing import prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.tantivy import relevance, scoped_search
from service.corpus.tantivy.candidates import MeaningSearch
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.vectors import vector_search, vector_store
from service.corpus.vectors.vector_search import Meaning
from service.corpus.vectors.vector_table import VectorTable
from service.embeddings.embedder import TextKind
from service.embeddings.local import LocalEmbedder

STORE: Final = "projects/p/locations/global/collections/default_collection/dataStores/s"
HELP_CENTRE: Final = "login_gov_en"
PORTALS: Final = ("d2d_dmv", "d2d_studentaid", HELP_CENTRE)
ROUNDS: Final = 2_000
RATE: Final = 1.0
LEAST: Final = 0.01
"""As `relevance.with_meaning` takes it: below, words say no less."""
HELD: Final = 0.001
BATCH: Final = 64


class Case(NamedTuple):
    """A question put to a portal: what its best hit says of it by words, and by meaning.

    It is *foreign* where it is in another language than the portal.
    """

    portal: str
    in_domain: bool
    foreign: bool
    words: float
    cosine: float


def main() -> None:
    """Measure, fit, and print what was learnt."""
    parser = argparse.ArgumentParser(description="Fit what meaning adds to relevance.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--portals", default=",".join(PORTALS))
    parser.add_argument("--keep", type=Path, help="a file for what was measured")
    arguments = parser.parse_args()
    embedder = LocalEmbedder()
    cases: list[Case] = []
    for portal in arguments.portals.split(","):
        cases += asyncio.run(measured(arguments.folder, portal, embedder))
    if path := arguments.keep:
        path.write_text(json.dumps(cases))
    for name, words in (("beside words", True), ("alone", False)):
        own = [case for case in cases if not (words and case.foreign)]
        weight, middle = fit(own, words=words)
        print(f"{name}: weight {weight:.1f}, middle {middle:.2f}, of {len(own)} questions")
    print("                 area by words, with meaning; found foreign, let in foreign")
    for portal in dict.fromkeys(case.portal for case in cases):
        print(f"{portal:16s} {told([case for case in cases if case.portal == portal])}")


def told(cases: Sequence[Case]) -> str:
    """Return how well the numbers in use tell which of *cases* belong to a portal."""
    own = [case for case in cases if not case.foreign]
    by_words = area([(case.words, case.in_domain) for case in own])
    by_both = area([(both(case), case.in_domain) for case in own])
    found, let_in = (
        [both(case) >= 0.5 for case in cases if case.foreign and case.in_domain is label]
        for label in (True, False)
    )
    return f"{by_words:.3f} {by_both:.3f}; {_share(found):.2f} {_share(let_in):.2f}"


def both(case: Case) -> float:
    """Return the relevance of *case* by words and meaning."""
    return relevance.with_meaning(case.words, case.cosine)


async def measured(folder: Path, portal: str, embedder: LocalEmbedder) -> list[Case]:
    """Put the questions of *portal* to it."""
    writer, table = IndexWriter(), VectorTable()
    changed = {str(n): each for n, each in enumerate(documents(folder, portal))}
    writer.apply(changed)
    for document_id, content in changed.items():
        texts = vector_search.texts_of(content)
        vectors = [
            vector
            for at in range(0, len(texts), BATCH)
            for vector in await embedder.embed(texts[at : at + BATCH], TextKind.DOCUMENT)
        ]
        table.put({document_id: vector_store.compress(b"", vectors)})
    table.settle()
    plan = scoped_search.plan(SearchScope(data_stores=(STORE,)))
    cases: list[Case] = []
    for row in (*asked(folder, portal), *foreign(folder, portal)):
        readers = [(STORE, writer.reader)]
        by_words = scoped_search.search(readers, row["text"], plan, 10)
        [vector] = await embedder.embed([row["text"]], TextKind.QUERY)
        by_meaning = MeaningSearch(Meaning(vector, embedder.share), {STORE: table}.get)
        compared = table.compare(vector, writer.reader)
        if compared is None or by_meaning.meaning.share is None:
            raise SystemExit(f"{portal} has no documents")
        words = max((hit.relevance for hit in by_words), default=0.0)
        foreigner = row.get("foreign", False)
        cases.append(Case(portal, row["in_domain"], foreigner, words, compared.best()[0].cosine))
    return cases


def asked(folder: Path, portal: str) -> Iterator[Mapping[str, Any]]:
    """Yield the questions put to *portal* in its language."""
    for row in rows(folder / "classify" / "out_of_domain.jsonl.gz"):
        if row["portal"] == portal:
            yield row


def foreign(folder: Path, portal: str) -> Iterator[Mapping[str, Any]]:
    """Yield headings of the help centre in other languages: of its English pages, and of others."""
    for row in rows(folder / "turns" / "login_gov.jsonl.gz"):
        if row["portal"] != HELP_CENTRE:
            yield {"text": row["query"], "in_domain": portal == HELP_CENTRE, "foreign": True}


def documents(folder: Path, portal: str) -> Iterator[stored_documents.IndexContent]:
    """Yield the documents of *portal*, cut as an import cuts them."""
    for path in sorted((folder / "corpora").glob("*.jsonl.gz")):
        for row in rows(path):
            if row["portal"] == portal:
                source = DocumentSource(
                    id="d", data=row["text"].encode(), mime=row["mime"], title=row["title"] or ""
                )
                made = prepared_documents.prepare(source, STORE, now=dt.datetime.now(dt.UTC))
                if (content := stored_documents.unpack(made.content)) is not None:
                    yield content


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a packed file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def fit(cases: Sequence[Case], *, words: bool) -> tuple[float, float]:
    """Return the weight of a cosine and the cosine that says nothing, by logistic regression.

    With *words* beside the relevance by words, which stays as it is.
    """
    weight, bias = 5.0, 0.0
    for _ in range(ROUNDS):
        by_weight, by_bias = -HELD * weight, 0.0
        for case in cases:
            given = _logit(case.words) if words else 0.0
            missed = case.in_domain - _logistic(given + weight * case.cosine + bias)
            by_weight += missed * case.cosine / len(cases)
            by_bias += missed / len(cases)
        weight += RATE * by_weight
        bias += RATE * by_bias
    return weight, -bias / weight


def area(scored: Sequence[tuple[float, bool]]) -> float:
    """Return the chance that a question of the portal scores above one that is not."""
    inside = [score for score, label in scored if label]
    outside = [score for score, label in scored if not label]
    above = sum((a > b) + (a == b) / 2 for a in inside for b in outside)
    return above / (len(inside) * len(outside) or 1)


def _share(claims: Sequence[bool]) -> float:
    return sum(claims) / (len(claims) or 1)


def _logit(share: float) -> float:
    held = min(1 - LEAST, max(LEAST, share))
    return math.log(held / (1 - held))


def _logistic(linear: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, linear))))


if __name__ == "__main__":
    main()
