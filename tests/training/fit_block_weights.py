"""Fit the weights with which ``service/generation/extraction/scoring.py`` ranks blocks.

    python -m tests.training.fit_block_weights FOLDER [--every N]

FOLDER holds ``corpora/*.jsonl[.gz]`` (a ``doc_id``, a ``portal``, a ``title``, a ``text`` and its
``mime``) and ``turns/*.jsonl[.gz]`` (a ``query``, its ``portal``, and either ``gold`` spans with
``text`` or an ``answer``). Each query is searched for in the corpus of its portal, and of the
wholes found those are right that have most words in common with the gold text: a softmax over the
wholes of a query is fitted to that, by gradient descent. Printed are the weights, and what share
of the gold the first whole has: with the weights in use, with the fitted ones, and for each portal
with weights that saw nothing of it.

Of public-service dialogues, IBM Cloud documentation and a help centre (1,096 queries) the fit gave
1.1, 1.2, 2.0, 0.4, 0.8, 1.1, 0.8, -0.4 for what can be counted, and 0.4 for the form. The weights
in use lie a little apart: rank and form count more and headings less, which loses 0.01 there; on
the 199 questions in ``tests/questions``, which are of kinds that dialogues do not have, the two
differ by noise.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import gzip
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.answering.pipeline import retrieving
from service.corpus import stored_documents
from service.corpus.index import SearchScope
from service.corpus.parsing import prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.generation.extraction import forms, scoring, sections
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.language import detection
from tests.questions.local_portals import NOW, STORE, LocalIndex

EPOCHS: Final = 80
RATE: Final = 0.4
HELD: Final = 0.005
"""How hard the weights are held near 0."""
SHARP: Final = 4
"""A whole with half the overlap of the best one counts a sixteenth of it."""
LEAST: Final = 0.25
"""Overlap below which no whole is right: then the query teaches nothing."""
HITS: Final = 30


class Example(NamedTuple):
    """A query: its portal, the features of its wholes, and how much of the gold each has."""

    portal: str
    features: list[tuple[float, ...]]
    gains: list[float]


def main() -> None:
    """Fit, and print what comes of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="one of so many queries")
    options = parser.parse_args()
    examples = list(asyncio.run(read(options.folder, options.every)))
    used = (*scoring.WEIGHTS, scoring.FORM)
    fitted = fit(examples)
    write = sys.stdout.write
    write(f"{' '.join(f'{weight:.2f}' for weight in fitted)}\n")
    for portal in sorted({one.portal for one in examples}):
        own = [one for one in examples if one.portal == portal]
        others = [one for one in examples if one.portal != portal]
        unseen = fit(others) if others else fitted
        told = (judge(own, used), judge(own, fitted), judge(own, unseen))
        write(f"{portal:24} {len(own):5} {' '.join(f'{share:.3f}' for share in told)}\n")


async def read(folder: Path, every: int = 1) -> list[Example]:
    """Return what the labelled data in *folder* teaches."""
    turns = [one for path in files(folder / "turns") for one in lines(path)]
    examples = list[Example]()
    for path in files(folder / "corpora"):
        documents = list(lines(path))
        portals = {document["portal"] for document in documents}
        asked = [turn for turn in turns if turn["portal"] in portals and gold_of(turn)]
        if asked:
            index = indexed(documents)
            examples += [await example(index, turn) for turn in asked[::every]]
    return [one for one in examples if max(one.gains, default=0.0) >= LEAST]


def indexed(documents: Sequence[dict[str, Any]]) -> LocalIndex:
    """Return an index of *documents*."""
    contents = dict[str, IndexContent]()
    for one in documents:
        source = DocumentSource(
            id=one["doc_id"],
            data=one["text"].encode(),
            mime=one.get("mime") or "text/plain",
            title=one["title"],
        )
        stored = prepared_documents.prepare(source, STORE, now=NOW)
        if content := stored_documents.unpack(stored.content):
            contents[one["doc_id"]] = content
    writer = IndexWriter()
    writer.apply(contents)
    writer.wait_for_merges()
    return LocalIndex(writer.reader)


async def example(index: LocalIndex, turn: dict[str, Any]) -> Example:
    """Return the wholes that are found for a query."""
    query = turn.get("rewrite") or turn["query"]
    scope = SearchScope(data_stores=(STORE,))
    hits = await index.search(query, scope, limit=HITS)
    sources = retrieving.by_documents(hits, retrieving.MAX_DOCUMENTS).sources()
    language = detection.detect_in(query, (source.text for source in sources))
    weighted = WeightedQuery(query, language, await index.read_query(query, scope))
    ranked = scoring.score(weighted, sections.read(sources, language))
    gold = counted(gold_of(turn))
    return Example(
        turn["portal"],
        [(*one.features, forms.fit(weighted, one.section, one.at)) for one in ranked],
        [overlap(counted(one.whole.text), gold) for one in ranked],
    )


def fit(examples: Sequence[Example]) -> list[float]:
    """Return the weights under which the right wholes are likeliest."""
    weights = [*scoring.WEIGHTS, scoring.FORM]
    for _ in range(EPOCHS):
        steps = [0.0] * len(weights)
        for one in examples:
            wanted = targets(one.gains)
            for features, share, target in zip(
                one.features, softmax(weights, one.features), wanted, strict=True
            ):
                for at, value in enumerate(features):
                    steps[at] += (target - share) * value
        weights = [
            weight + RATE * (step / max(len(examples), 1) - HELD * weight)
            for weight, step in zip(weights, steps, strict=True)
        ]
    return weights


def judge(examples: Sequence[Example], weights: Sequence[float]) -> float:
    """Return how much of the gold the first whole has, on average."""
    first = [
        one.gains[max(range(len(one.gains)), key=softmax(weights, one.features).__getitem__)]
        for one in examples
    ]
    return sum(first) / max(len(first), 1)


def softmax(weights: Sequence[float], rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return how likely each whole is."""
    linear = [sum(w * f for w, f in zip(weights, row, strict=True)) for row in rows]
    raised = [math.exp(value - max(linear)) for value in linear]
    return [value / sum(raised) for value in raised]


def targets(gains: Sequence[float]) -> list[float]:
    """Return how much each whole should be chosen."""
    raised = [(gain / max(gains)) ** SHARP for gain in gains]
    return [value / sum(raised) for value in raised]


def gold_of(turn: dict[str, Any]) -> str:
    """Return the text that answers, "" where none is known."""
    return " ".join(one.get("text") or "" for one in turn["gold"]).strip() or turn["answer"] or ""


def counted(text: str) -> collections.Counter[str]:
    """Return the words of *text* with their counts."""
    return collections.Counter(re.findall(r"\w+", text.lower()))


def overlap(one: collections.Counter[str], other: collections.Counter[str]) -> float:
    """Return the F1 measure of the words of two texts."""
    common = sum((one & other).values())
    return 2 * common / (sum(one.values()) + sum(other.values())) if common else 0.0


def files(folder: Path) -> list[Path]:
    """Return the files of JSON lines in *folder*."""
    return sorted(path for path in folder.iterdir() if ".jsonl" in path.name)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines, compressed or not."""
    opened: Iterable[str]
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as opened:
            yield from map(json.loads, opened)
    else:
        with path.open(encoding="utf-8") as opened:
            yield from map(json.loads, opened)


if __name__ == "__main__":
    main()
