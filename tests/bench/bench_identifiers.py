"""Whether 100,000 documents hide the one that has the code that is asked for.

Of 100,000 small documents, which are made of the words that questions about codes are made of,
thirty have a code each; it is asked for in a question, and by itself.
"""

from __future__ import annotations

import random
from typing import Final

from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from tests.bench.measuring import Row, table
from tests.corpus.doubles import content
from tests.corpus.texts import STORE

DOCUMENTS: Final = 100_000
CODES: Final = 30
PORTION: Final = 10_000
RELEVANT: Final = 0.2
HITS: Final = 30
"""What the pipeline asks for: three chunks of each of ten documents."""
VOCABULARY: Final = (
    "what is the code of a part machine page manual error valve pump door room server table"
    " fails stuck dry open"
).split()


def run() -> list[Row]:
    """Ask for each code and return the rows."""
    reader, codes = indexed()
    return [
        Row(
            f"{DOCUMENTS:,} documents, {asked.format('ZX77Q')!r}: the one that has it",
            f"{(found := sum(alone(reader, asked.format(code)) == d for d, code in codes.items()))}"
            f" of {len(codes)}",
            f"{len(codes)} of {len(codes)}",
            holds=found == len(codes),
        )
        for asked in ("What is code {}?", "{}")
    ]


def indexed() -> tuple[IndexReader, dict[str, str]]:
    """Return the documents, and the code of each of those that have one."""
    chance = random.Random(1)
    writer, codes = IndexWriter(), dict[str, str]()
    for first in range(0, DOCUMENTS, PORTION):
        texts: dict[str, str] = {}
        for at in range(first, first + PORTION):
            texts[f"d{at}"] = " ".join(chance.choices(VOCABULARY, k=15))
            if at % (DOCUMENTS // CODES) == 0 and len(codes) < CODES:
                codes[f"d{at}"] = f"ZX{len(codes):02}{chance.choice('QWK')}"
                texts[f"d{at}"] += f" {codes[f'd{at}']} fails"
        writer.apply({document: content(document, text) for document, text in texts.items()})
    writer.wait_for_merges()
    return writer.reader, codes


def alone(reader: IndexReader, query: str) -> str:
    """Return the only relevant document, "" where there is none, or another besides."""
    scope = scoped_search.plan(SearchScope(data_stores=(STORE,)))
    hits = scoped_search.search([(STORE, reader)], query, scope, HITS)
    found = {hit.chunk.document.rpartition("/")[2] for hit in hits if hit.relevance >= RELEVANT}
    return found.pop() if len(found) == 1 else ""


if __name__ == "__main__":
    print(table([("identifiers", row) for row in run()]))
