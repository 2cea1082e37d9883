"""What understanding, writing and proving one answer cost in CPU, beside the bound of 5 ms each.

Ten chunks of 500 tokens (375 words) that were never read before, in words that were: a portal's
everyday case. The answer of 120 words cites two of them for each sentence. Where the environment
variable COLLOQUY_EVALUATION names a folder of labelled data, lines about quality follow.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from service.answering.pipeline import rephrasing
from service.answering.proof import grounding, safety
from service.answering.proof.citations import CitationBuilder
from service.answering.proof.source_texts import SourceTexts
from service.answering.query_classes import classifiers
from service.generation import extractive
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import PastTurn, Piece, Prompt, Source
from service.language.sentences import spans
from sessions.resources import answers
from tests.bench.measuring import Row, at_most, cpu_seconds, informs, rounds, table

CHUNKS: Final = 10
WORDS: Final = 375
SENTENCE: Final = 14
REPEATS: Final = 12
ROUNDS: Final = 5
BOUND: Final = 5.0
QUERY: Final = "How do I renew my license online after it has expired?"
VOCABULARY: Final = (
    "account address agency answer application apply before benefit card cards change check code"
    " complete contact county date days department document documents driver each eligible email"
    " enter expire expired fee fees file form forms free had help if in including information is"
    " issue issued it keep letter license licenses list mail make may month must name need new no"
    " not number of office offices on online or order out page password pay payment permit person"
    " phone plate please process proof receive record register registration renew renewal request"
    " required return school security send service session show sign state status submit test that"
    " the their then this time title to transfer update use valid vehicle verify visit was we week"
    " when which will with within year years you your"
).split()


def run() -> list[Row]:
    """Measure each stage and return the rows."""
    fresh = iter(list(itertools.islice(chunks(), 1 + 3 * REPEATS * (ROUNDS + 1))))
    generator = ExtractiveGenerator(spans)
    history = [PastTurn("What is a REAL ID card?", "It is a card for flights.")] * 10
    answer = " ".join(next(fresh)[0].text.split()[:120])
    sources = tuple(answers.CitationSource(reference_id=str(n)) for n in (0, 1))
    citations = [
        answers.Citation(start_index=str(start), end_index=str(end), sources=sources)
        for start, end, _ in grounding.claims(answer)
    ]
    pieces = [Piece(word + " ") for word in f"{answer} [1]. {answer} [2, 3].".split()]

    def written() -> object:
        return generator.passages(Prompt(query=QUERY, sources=next(fresh)))

    def proven() -> object:
        texts = [source.text for source in next(fresh)]
        return grounding.supports(answer, texts, range(CHUNKS), citations)

    def cited() -> object:
        builder = CitationBuilder(range(CHUNKS), marks_inline=True)
        return [builder.feed(piece) for piece in pieces]

    stages: dict[str, Callable[[], object]] = {
        "understand a query": lambda: classifiers.classify(QUERY),
        "rephrase a query after 10 turns": lambda: rephrasing.rephrase("Is it free?", history),
        "choose blocks of 10 chunks": written,
        "estimate whether 10 chunks answer": lambda: extractive.answerability(QUERY, next(fresh)),
        "score the claims of an answer against 10 chunks": proven,
        "cite 240 words with markers": cited,
        "rate an answer for harm": lambda: safety.rate(answer),
    }
    measured = rounds({name: timed(stage) for name, stage in stages.items()}, ROUNDS)
    rows = [at_most(f"{name}, CPU", figure, BOUND, "ms") for name, figure in measured.items()]
    if folder := os.environ.get("COLLOQUY_EVALUATION"):
        rows += quality(Path(folder))
    return rows


def timed(stage: Callable[[], object]) -> Callable[[], float]:
    """Return a contender that tells the milliseconds of CPU that one call of *stage* takes."""

    def contender() -> float:
        started = cpu_seconds()
        for _ in range(REPEATS):
            stage()
        return (cpu_seconds() - started) / REPEATS * 1e3

    return contender


def chunks() -> Iterator[tuple[Source, ...]]:
    """Yield ten chunks at a time that nobody has seen, always the same in the same order."""
    chance = random.Random(7)
    for _ in itertools.count():
        yield tuple(Source(title="License fees", text=text(chance)) for _ in range(CHUNKS))


def text(chance: random.Random) -> str:
    """Return the words of a chunk, in sentences."""
    made = chance.choices(VOCABULARY, k=WORDS)
    parts = (made[at : at + SENTENCE] for at in range(0, WORDS, SENTENCE))
    return " ".join(f"{' '.join(part).capitalize()}." for part in parts)


def quality(folder: Path) -> list[Row]:
    """Return what the stages are worth on the labelled data in *folder*."""
    claims = list(lines(folder / "grounding" / "attribution.jsonl.gz"))
    queries = list(lines(folder / "classify" / "queries.jsonl.gz"))
    reading = list(lines(folder / "reading" / "clapnq.jsonl.gz"))
    supported = [
        (max(SourceTexts(one["references"]).scores(one["claim"])), one["label"]) for one in claims
    ]
    can = [
        (extractive.answerability(one["question"], (passage(one),)), one["answerable"])
        for one in reading
    ]
    real = [
        classifiers.classify(one["text"]) for one in queries if one["label"] == "answer_seeking"
    ]
    stopped = sum(one.adversarial or one.jail_breaking or one.small_talk for one in real)
    return [
        informs("claims: area under the curve (in part fitted to)", area(supported), ""),
        informs("reading: area under the curve of answerable (in part fitted to)", area(can), ""),
        informs("real questions stopped (fitted to)", stopped / len(real), ""),
    ]


def passage(one: dict[str, Any]) -> Source:
    """Return the passage of a reading exercise."""
    return Source(title=one["passage"]["title"], text=one["passage"]["text"])


def area(scored: list[tuple[float, Any]]) -> float:
    """Return how often a positive scores above a negative, ties counting half."""
    positive = [score for score, label in scored if label]
    negative = [score for score, label in scored if not label]
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a compressed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    print(table([("stages", row) for row in run()]))
