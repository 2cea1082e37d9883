"""Fit the weights of ``service/answering/proof/claim_weights.txt``.

    python -m tests.training.train_grounding FOLDER [--out FILE]

FOLDER holds ``grounding/attribution.jsonl`` or ``.jsonl.gz``: per line a ``claim``, its
``references``, the ``label`` that people gave it (1 supported, 0 not) and the ``source``, the
collection that it is from; and ``corpora/*.jsonl.gz``: per line the ``text`` of a document, and its
``portal``. Without --out the weights in use are replaced. The same data always gives the same file.

People's judgements hold few lies that look like the truth, so sentences of the corpora are added
with one edit each (`tests.training.edited_sentences`). What a rule decides (`claim_scores.Faults`)
is only counted, the others are fitted to as well.

The score is a logistic regression on `claim_scores.Measures`. What is printed comes from
cross-validation by source: each claim is judged by weights that saw nothing of its collection. Area
under the curve of each with the half-width of its 95 % interval; how many of each kind of edit are
on the right side of 0.5; and how many claims of each tenth of the score are supported.

The weights in use were fitted to the developers' part of AttributionBench (1,198 claims) and to
edits of sentences of five portals.

What was tried (area over all, mean over sources, of claims of sources not seen; .748, .793 now):
measures of word overlap alone, whichever and however many, .73, .79; random forests and extra trees
.70, .78; edits that rules decide fitted to as well .68, .73; the cosine of sentences in the encoder
of which `word_vectors` is distilled as one more measure .76, .82, at 3 ms a sentence. As one more
measure each: the best sentence and the best two .748, .792; the claim covered by words alike,
by weight .748, .792; the longest common subsequence of terms .747, .791; the worst clause of
a claim and the mean of them .743, .790; what stands anywhere in all texts of a claim together
.744, .792; the cosine of the mean word vectors .742, .789; the lengths of claim and text .745,
.798; the shares of numbers, names and telling terms that are missing .740, .788; what is not said
by the question already .748, .788; the first and the last term .748, .791. All of them together:
.738, .792 held hard, boosted trees .720, .780, extra trees .729, .788. So counting words is used
up: what is left takes a model that reads, or texts that the judges of ExpertQA had as well (0.60
of that source whatever is done, .80 to .94 of the others, 0.5 right for .73 to .84 of them).
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import operator
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.answering.proof import claim_scores
from service.answering.proof.claim_scores import Faults, Measures
from service.answering.proof.claim_support import SourceText
from service.answering.proof.claims import ReadClaim
from service.language import detection
from tests.training import edited_sentences

OUT: Final = Path(claim_scores.__file__).with_name("claim_weights.txt")
EDITED: Final = "edited"
HELD: Final = 2.0
"""How hard weights are held near 0, as a number of claims: neither 0.5 nor 10 is better."""
COUNTS: Final = {"ExpertQA": 0.2, EDITED: 0.05}
"""What a claim of a source counts, 1 elsewhere. Experts judged by more than the text at hand (what
no text covers at all is supported in two of five cases): in full they make all scores timid, and
those of other sources worse by a point."""
ROUNDS: Final = 12
THRESHOLDS: Final = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
RESAMPLED: Final = 200


class Example(NamedTuple):
    """A claim over its texts, as the score sees it."""

    source: str
    kind: str
    label: int
    quoted: bool
    measures: Measures
    faults: Faults


class Weights(NamedTuple):
    """What is kept."""

    bias: float
    each: Measures

    def score(self, example: Example) -> float:
        """Return how sure it is that *example* is supported, 0..1."""
        if example.quoted:
            return 1.0
        score = claim_scores.logistic(self.bias, self.each, example.measures)
        return claim_scores.bounded(score, example.measures, example.faults)


def main() -> None:
    """Fit, judge, and write what was fitted."""
    parser = argparse.ArgumentParser(description="Fit the weights of grounding scores.")
    parser.add_argument("folder", type=Path, help="holds grounding/ and corpora/")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write")
    args = parser.parse_args()
    examples = [*judged(args.folder), *edited(args.folder)]
    for line in report(examples, cross_validated(examples)):
        print(line)
    args.out.write_text(written(fit(examples)), "utf-8")


def judged(folder: Path) -> Iterator[Example]:
    """Yield the claims that people judged."""
    for row in rows(folder / "grounding", "attribution"):
        yield example(row["source"], row["source"], row["label"], row["claim"], row["references"])


def edited(folder: Path) -> Iterator[Example]:
    """Yield sentences of the corpora with one edit each, over the text that they are from."""
    for path in sorted((folder / "corpora").glob("*.jsonl*")):
        texts = [row["text"] for row in rows(path.parent, path.name.split(".")[0])]
        for one in edited_sentences.of(texts, random.Random(path.name)):
            yield example(EDITED, one.kind, one.label, one.claim, [one.text])


def example(source: str, kind: str, label: int, claim: str, texts: Sequence[str]) -> Example:
    """Measure *claim* over that of *texts* which covers most of it."""
    language = detection.detect_in("", texts)
    held = ReadClaim(claim, language)
    read = [SourceText(text, language) for text in texts]
    near, best = max(((one.near(held), one) for one in read), key=lambda pair: pair[0].covered)
    quoted = any(one.quotes(held) for one in read)
    return Example(source, kind, label, quoted, *best.measures(held, near, closely=True))


def fit(examples: Sequence[Example]) -> Weights:
    """Return the weights that tell supported from unsupported *examples*: Newton's method."""
    data = [
        (one.label, COUNTS.get(one.source, 1.0), (1.0, *one.measures))
        for one in examples
        if not one.quoted and one.kind not in edited_sentences.RULED
    ]
    size = len(Measures._fields) + 1
    weights = [0.0] * size
    for _ in range(ROUNDS):
        gradient = [0.0, *(HELD * weight for weight in weights[1:])]
        curve = [[HELD * (at == to and at > 0) for to in range(size)] for at in range(size)]
        for label, count, values in data:
            linear = sum(map(operator.mul, weights, values))
            share = 1 / (1 + math.exp(-linear))
            error, bend = count * (share - label), count * share * (1 - share)
            for at, value in enumerate(values):
                if value:
                    gradient[at] += error * value
                    row, scaled = curve[at], bend * value
                    for to in range(at + 1):
                        row[to] += scaled * values[to]
        for at in range(size):
            for to in range(at):
                curve[to][at] = curve[at][to]
        step = solved(curve, gradient)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
    return Weights(weights[0], Measures(*weights[1:]))


def solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations, by elimination."""
    rows_ = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows_)
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows_[row][at]))
        rows_[at], rows_[best] = rows_[best], rows_[at]
        for row in range(at + 1, size):
            factor = rows_[row][at] / rows_[at][at]
            for to in range(at, size + 1):
                rows_[row][to] -= factor * rows_[at][to]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows_[at][to] * found[to] for to in range(at + 1, size))
        found[at] = (rows_[at][size] - known) / rows_[at][at]
    return found


def cross_validated(examples: Sequence[Example]) -> list[float]:
    """Return the score of each example by weights that saw nothing of its source.

    Edited sentences, which have one source, are cut in two.
    """

    def fold(at: int) -> str:
        return f"{EDITED} {at % 2}" if examples[at].source == EDITED else examples[at].source

    folds = [fold(at) for at in range(len(examples))]
    scores = dict[int, float]()
    for one in sorted(set(folds)):
        weights = fit([example for at, example in enumerate(examples) if folds[at] != one])
        scores |= {at: weights.score(e) for at, e in enumerate(examples) if folds[at] == one}
    return [scores[at] for at in range(len(examples))]


def report(examples: Sequence[Example], scores: Sequence[float]) -> Iterator[str]:
    """Yield what the scores are worth."""
    by_source, by_kind = dict[str, list[tuple[float, int]]](), dict[str, list[tuple[float, int]]]()
    for one, score in zip(examples, scores, strict=True):
        if one.source != EDITED:
            by_source.setdefault(one.source, []).append((score, one.label))
        else:
            by_kind.setdefault(one.kind, []).append((score, one.label))
    everything = [pair for pairs in by_source.values() for pair in pairs]
    yield "source: claims, area under the curve, share on the right side of 0.5"
    for source, pairs in (*sorted(by_source.items()), ("all", everything)):
        known = f"{area(pairs):.3f} ± {width(pairs):.3f}"
        yield f"  {source}: {len(pairs)}, {known}, {right(pairs):.2f}"
    if by_source:
        mean = sum(map(area, by_source.values())) / len(by_source)
        yield f"  mean over the sources: {mean:.3f}"
    yield "threshold: share of claims above it that are supported, of the supported above it"
    for least in THRESHOLDS:
        above = [label for score, label in everything if score >= least]
        supported = sum(label for _, label in everything)
        yield f"  {least}: {sum(above) / (len(above) or 1):.2f}, {sum(above) / supported:.2f}"
    yield "edit: sentences, label, share on the right side of 0.5"
    for kind, pairs in sorted(by_kind.items()):
        yield f"  {kind}: {len(pairs)}, {pairs[0][1]}, {right(pairs):.2f}"
    yield "score: claims of people, share supported"
    for tenth in range(10):
        labels = [label for score, label in everything if min(9, int(score * 10)) == tenth]
        if labels:
            yield f"  {tenth / 10:.1f}: {len(labels)}, {sum(labels) / len(labels):.2f}"


def area(pairs: Sequence[tuple[float, int]]) -> float:
    """Return the share of pairs of a supported and an unsupported claim that are in order."""
    ranks, ordered = dict[float, float](), sorted(score for score, _ in pairs)
    for at, score in enumerate(ordered):
        ranks.setdefault(score, at + (ordered.count(score) + 1) / 2)
    good = [ranks[score] for score, label in pairs if label]
    bad = len(pairs) - len(good)
    return (sum(good) - len(good) * (len(good) + 1) / 2) / (len(good) * bad or 1)


def width(pairs: Sequence[tuple[float, int]]) -> float:
    """Return half of the interval in which 95 of 100 areas of resampled *pairs* lie."""
    chance = random.Random(1)
    found = sorted(area(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED))
    return (found[round(0.975 * RESAMPLED) - 1] - found[round(0.025 * RESAMPLED)]) / 2


def right(pairs: Sequence[tuple[float, int]]) -> float:
    """Return the share of claims that 0.5 puts on the right side."""
    return sum((score >= 0.5) == bool(label) for score, label in pairs) / len(pairs)


def written(weights: Weights) -> str:
    """Return *weights* as `claim_support` reads them: a line each, the name first."""
    values: Mapping[str, float] = {"bias": weights.bias, **weights.each._asdict()}
    return "".join(f"{name} {value:.3f}\n" for name, value in values.items())


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file, packed or not."""
    packed = folder / f"{name}.jsonl.gz"
    with (
        gzip.open(packed, "rt", encoding="utf-8")
        if packed.exists()
        else (folder / f"{name}.jsonl").open(encoding="utf-8") as file
    ):
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
