"""Small pages, cut into sources as an import cuts them into chunks."""

from __future__ import annotations

from collections.abc import Sequence

from service.corpus.parsing import chunking
from service.corpus.parsing.formats import markdown
from service.corpus.parsing.parsed_documents import BodyLimits
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Prompt, Source
from service.language.sentences import spans


def page(title: str, text: str, *, size: int = 180) -> list[Source]:
    """Return the sources of a page in Markdown, of at most *size* tokens each."""
    parsed = markdown.read(text, BodyLimits())
    body = parsed.body.encode()
    return [
        Source(
            title=title,
            text=body[span.start : span.end].decode(),
            headings=span.headings,
            document=title,
            place=place,
            blocks=span.blocks,
        )
        for place, span in enumerate(chunking.chunk(parsed, size=size))
    ]


def answer(query: str, *pages: Sequence[Source]) -> str:
    """Return the text of the answer from *pages*, the best first."""
    sources = tuple(source for one in pages for source in one)
    passages = ExtractiveGenerator(spans).passages(Prompt(query=query, sources=sources))
    return "".join(one.before + one.text for one in passages)
