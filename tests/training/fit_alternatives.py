"""Fit how likely it is the second section that answers, where one of the best two does.

    python -m tests.training.fit_alternatives FOLDER [--every N]

FOLDER is that of ``fit_block_weights``. Each query with gold text is searched for in the corpus of
its portal; of the best whole and the best one of another section of the same page, one must hold
the gold and the other must not. A logistic regression over what
``service/generation/extraction/alternatives.py`` compares is fitted to which of them it is. Printed
are bias and weights, and a curve: for each least likelihood, how often the second one answers and
how often the first one does, each query by weights that saw nothing of its portal.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.answering.pipeline import retrieving
from service.corpus.index import SearchScope
from service.generation.extraction import alternatives, composition, scoring, sections
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import ScoredWhole
from service.language import detection, sentences
from tests.questions.local_portals import STORE, LocalIndex
from tests.training import fit_block_weights as blocks

EPOCHS: Final = 600
RATE: Final = 0.5
HELD: Final = 0.01
"""How hard the weights are held near 0."""
HOLDS: Final = 0.8
"""The share of the words of the gold that a whole with it has."""
CURVE: Final = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)


class Pair(NamedTuple):
    """Two wholes of which one answers, as they compare."""

    portal: str
    features: tuple[float, ...]
    second: bool
    """Whether it is the second one that answers."""


def main() -> None:
    """Fit, and print what comes of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="one of so many queries")
    options = parser.parse_args()
    pairs = asyncio.run(read(options.folder, options.every))
    write = sys.stdout.write
    write(f"{len(pairs)} pairs: {' '.join(f'{weight:.2f}' for weight in fit(pairs))}\n")
    judged = list(unseen(pairs))
    for least in CURVE:
        told = [second for likely, second in judged if likely >= least]
        write(f"{least:.2f} the second {sum(told):4} the first {len(told) - sum(told):4}\n")


async def read(folder: Path, every: int = 1) -> list[Pair]:
    """Return what the labelled data in *folder* teaches."""
    turns = [one for path in blocks.files(folder / "turns") for one in blocks.lines(path)]
    pairs = list[Pair]()
    for path in blocks.files(folder / "corpora"):
        documents = list(blocks.lines(path))
        portals = {document["portal"] for document in documents}
        asked = [one for one in turns if one["portal"] in portals and one["gold"]][::every]
        if asked:
            index = blocks.indexed(documents)
            found = [await pair(index, turn) for turn in asked]
            pairs += [one for one in found if one is not None]
    return pairs


async def pair(index: LocalIndex, turn: dict[str, Any]) -> Pair | None:
    """Return the best two wholes for a query, None where both answer, or neither does."""
    query = turn.get("rewrite") or turn["query"]
    scope = SearchScope(data_stores=(STORE,))
    hits = await index.search(query, scope, limit=blocks.HITS)
    sources = retrieving.by_documents(hits, retrieving.MAX_DOCUMENTS).sources()
    language = detection.detect_in(query, (source.text for source in sources))
    weighted = WeightedQuery(query, language, await index.read_query(query, scope))
    found = scoring.score(weighted, sections.read(sources, language))
    ranked = composition.by_sentence(weighted, found, sentences.spans)
    others = (
        one
        for one in ranked[1:]
        if one.section is not ranked[0].section and one.page is ranked[0].page
    )
    other = next(others, None)
    if other is None or ranked[0].score - other.score > alternatives.FARTHEST:
        return None
    gold = " ".join(one.get("text") or "" for one in turn["gold"])
    first, second = holds(ranked[0], gold), holds(other, gold)
    features = alternatives.compare(ranked[0], other)
    return Pair(turn["portal"], features, second) if first is not second else None


def holds(one: ScoredWhole, gold: str) -> bool:
    """Tell whether *one* has the words of *gold*."""
    wanted = blocks.counted(gold)
    common = (wanted & blocks.counted(one.whole.text)).total()
    return bool(wanted) and common >= HOLDS * wanted.total()


def fit(pairs: Sequence[Pair]) -> list[float]:
    """Return the bias and the weights under which the right ones of *pairs* are likeliest."""
    weights = [0.0] * (1 + len(alternatives.WEIGHTS))
    for _ in range(EPOCHS):
        steps = [0.0] * len(weights)
        for one in pairs:
            missed = one.second - likelihood(weights, one)
            for at, value in enumerate((1.0, *one.features)):
                steps[at] += missed * value
        weights = [
            weight + RATE * (step / max(len(pairs), 1) - HELD * weight)
            for weight, step in zip(weights, steps, strict=True)
        ]
    return weights


def likelihood(weights: Sequence[float], one: Pair) -> float:
    """Return how likely it is the second one, 0..1."""
    linear = sum(w * f for w, f in zip(weights, (1.0, *one.features), strict=True))
    return 1 / (1 + math.exp(-linear))


def unseen(pairs: Sequence[Pair]) -> Iterator[tuple[float, bool]]:
    """Yield how likely the second one is, by the other portals, and whether it is."""
    for portal in sorted({one.portal for one in pairs}):
        weights = fit([one for one in pairs if one.portal != portal])
        yield from ((likelihood(weights, one), one.second) for one in pairs if one.portal == portal)


if __name__ == "__main__":
    main()
