"""How long a search takes for who sees some of the documents, among 60,000 chunks.

Each query comes once before it is measured again, since what is counted of a reader is kept.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from typing import Final

from service.corpus import document_filters
from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from tests.bench.measuring import Row, informs
from tests.corpus.doubles import content
from tests.corpus.texts import STORE

_CHUNKS: Final = 60_000
_BATCH: Final = 2_000
_SHARES: Final = (0.8, 0.2, 0.01)
_WORDS: Final = 40
_QUERIES: Final = 60


def _vocabulary() -> tuple[list[str], list[float]]:
    chance = random.Random(7)
    # Letters alone: a word with a digit is looked for as a code.
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(20_000)]
    return words, [1 / rank for rank in range(10, 20_010)]


def _reader() -> IndexReader:
    """Return a reader of documents of one chunk each, and of who may see each of them."""
    words, weights = _vocabulary()
    chance = random.Random(8)
    writer = IndexWriter()
    for start in range(0, _CHUNKS, _BATCH):
        batch: dict[str, IndexContent] = {}
        for number in range(start, start + _BATCH):
            place = chance.random()
            seen = [f"s{share}" for share in _SHARES if place < share]
            text = " ".join(chance.choices(words, weights, k=_WORDS))
            batch[f"d{number}"] = content(f"d{number}", text, team=",".join(seen))
        writer.apply(batch)
    writer.wait_for_merges()
    return writer.reader


def _queries() -> list[str]:
    """Return queries of three to eight words, common and rare ones."""
    words, _ = _vocabulary()
    chance = random.Random(9)
    return [
        " ".join(words[int(20_000 ** chance.random()) - 1] for _ in range(chance.randint(3, 8)))
        for _ in range(_QUERIES)
    ]


def _times(reader: IndexReader, queries: Sequence[str]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each query when it comes first, and when it comes again."""
    plan = scoped_search.plan(SearchScope(data_stores=(STORE,)))
    rounds: list[list[float]] = []
    for _ in range(3):
        taken: list[float] = []
        for query in queries:
            began = time.process_time()
            scoped_search.search([(STORE, reader)], query, plan, 10)
            taken.append((time.process_time() - began) * 1e3)
        rounds.append(taken)
    return rounds[0], rounds[1] + rounds[2]


def run() -> list[Row]:
    """Return the rows."""
    whole, queries = _reader(), _queries()
    teams = [[share for share in _SHARES if share >= least] for least in _SHARES]
    readers = {"all": whole}
    for share in _SHARES:
        values = {",".join(f"s{each}" for each in some) for some in teams if share in some}
        listed = ", ".join(f'"{value}"' for value in sorted(values))
        readers[f"{share:.0%}"] = whole.within(document_filters.parse(f"team: ANY({listed})"))
    rows: list[Row] = []
    for name, reader in readers.items():
        for when, taken in zip(("first", "again"), _times(reader, queries), strict=True):
            shares = statistics.quantiles(taken, n=100)
            rows += [
                informs(f"{name} visible, {when}: p{at}", shares[at - 1], "ms of CPU")
                for at in (50, 99)
            ]
    return rows
