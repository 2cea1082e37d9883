"""An index and a generator that say what a test wants."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, Hit, SearchScope
from service.generation.generator import Piece, Prompt
from service.query_readings import QueryReading


def hit(number: int, text: str, *, relevance: float = 0.9, document: int | None = None) -> Hit:
    """Return a hit for *text*, in a document of its own unless *document* is given."""
    store = "projects/p/locations/l/collections/c/dataStores/d"
    name = f"{store}/branches/0/documents/{number if document is None else document}"
    chunk = Chunk(
        name=f"{name}/chunks/c{number}",
        document=name,
        title=f"Title {number}",
        text=text,
        start_byte=0,
        end_byte=len(text.encode()),
    )
    return Hit(chunk=chunk, score=relevance, relevance=relevance)


class ScriptedIndex:
    """Finds the same hits whatever is asked, and remembers what was."""

    def __init__(self, *hits: Hit) -> None:
        self._hits = hits
        self.asked: list[tuple[str, SearchScope]] = []

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return the first *limit* hits."""
        self.asked.append((query, scope))
        return self._hits[:limit]

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return the query as it is."""
        return QueryReading(text=query)

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return the hits that are chunks of *document*."""
        chunks = [one.chunk for one in self._hits if one.chunk.document == document]
        return [chunk for chunk in chunks if first <= chunk.number <= last]


class ScriptedGenerator:
    """Yields the same pieces whatever it is given, and remembers what it was."""

    continues = True

    def __init__(self, *pieces: Piece, marks_inline: bool = False, judges: bool = False) -> None:
        self._pieces = pieces
        self.marks_inline = marks_inline
        self.judges = judges
        self.prompts: list[Prompt] = []
        self.closed = False

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """Yield the pieces."""
        self.prompts.append(prompt)
        try:
            for piece in self._pieces:
                yield piece
        finally:
            self.closed = True
