"""The parsers that are fuzzed, each with what it is fed and what must hold."""

from __future__ import annotations

import collections
import random
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from service.corpus.index import SearchScope
from service.corpus.parsing import file_types, parsing
from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.parsed_documents import BodyLimits, Unreadable
from service.corpus.ranking.scoped_search import plan, search
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import index_terms, sentences
from service.redaction.redactor import KINDS, Redactor
from sessions.errors import ServiceError
from tests.fuzz import inputs

LIMITS: Final = BodyLimits()
EVERYTHING: Final = Redactor(KINDS)
MARK: Final = re.compile(r"\[(?:card|email|iban|phone)\]")
LANGUAGES: Final = ("en", "de", "fr", "ja", "zh", "ar", "hi", "el", "ta", "", "xx", "pt-BR")


class Target(NamedTuple):
    """A parser: what *make* makes, *run* reads. *mime* is set where a process may read it."""

    make: Callable[[random.Random], Any]
    run: Callable[[Any], None]
    mime: str = ""


def spans(given: tuple[str, str]) -> None:
    """Find sentences: in order, with nothing but white space between them."""
    text, language = given
    end = 0
    for start, stop in sentences.spans(text, language):
        assert end <= start < stop <= len(text)
        assert not text[end:start].strip()
        end = stop
    assert not text[end:].strip()


def analysed(given: tuple[str, str]) -> None:
    """Cut text into terms."""
    assert all(index_terms.of(*given))


def searched(given: tuple[str, str, str]) -> None:
    """Write a document into an index and look for another text in it."""
    body, query, language = given
    writer = IndexWriter()
    passage = StoredChunk(body, (query[:50],), 0, 0, len(body.encode()))
    writer.apply({"d": IndexContent(title=query, language=language, chunks=(passage,))})
    search([("d", writer.reader)], query, plan(SearchScope(data_stores=("d",))), 5)


def redacted(text: str) -> None:
    """Mask what people typed: no character but of what was found is lost."""
    masked = EVERYTHING.redacted(text)
    end = 0
    for kept in MARK.split(masked):
        end = text.index(kept, end) + len(kept)


def parsed(mime: str) -> Callable[[bytes], None]:
    """Return what reads a document."""

    def run(data: bytes) -> None:
        parsing.parse(data, mime=mime, limits=LIMITS)

    return run


def lines(data: bytes) -> None:
    """Read the documents of JSON lines."""
    for number, line in enumerate(data.splitlines(), start=1):
        json_lines.read_line(line, number)


def _spoken(rng: random.Random) -> tuple[str, str]:
    return inputs.text(rng), rng.choice(LANGUAGES)


def _asked(rng: random.Random) -> tuple[str, str, str]:
    return inputs.text(rng), inputs.text(rng, most=10), rng.choice(LANGUAGES)


def _typed(rng: random.Random) -> str:
    return inputs.text(rng, inputs.PERSONAL)


def _marked_up(rng: random.Random) -> bytes:
    return inputs.text(rng, inputs.MARKUP).encode()


def _document(mime: str, make: Callable[[random.Random], bytes]) -> Target:
    return Target(make, parsed(mime), mime)


TARGETS: Final = {
    "sentencex": Target(_spoken, spans),
    "tantivy-terms": Target(_spoken, analysed),
    "tantivy-index": Target(_asked, searched),
    "redactor": Target(_typed, redacted),
    "html": _document("text/html", _marked_up),
    "markdown": _document("text/markdown", _marked_up),
    "asciidoc": _document("text/asciidoc", lambda rng: inputs.spoilt(rng, inputs.ASCIIDOC)),
    "rst": _document("text/x-rst", lambda rng: inputs.spoilt(rng, inputs.RST)),
    "text": _document("text/plain", lambda rng: inputs.text(rng).encode()),
    "pdf": _document("application/pdf", lambda rng: inputs.spoilt(rng, inputs.pdf())),
    "docx": _document(file_types.DOCX, inputs.spoilt_word),
    "json-lines": Target(inputs.json_line, lines),
}


class Found(NamedTuple):
    """What came of many inputs."""

    counts: collections.Counter[str]
    failures: list[tuple[Any, BaseException]]


def fuzz(target: Target, rng: random.Random, more: Callable[[int], bool]) -> Found:
    """Feed *target* while there is to be *more*, which is told how many inputs it had."""
    found = Found(collections.Counter(), [])
    while more(found.counts.total()):
        given = target.make(rng)
        try:
            target.run(given)
        except Unreadable as exc:
            found.counts[f"refused: {exc.reason}"] += 1
        except ServiceError as exc:
            found.counts[f"contained: {exc.reason}"] += 1
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as exc:  # noqa: BLE001 - it is what is looked for
            found.counts["FAILED"] += 1
            found.failures.append((given, exc))
        else:
            found.counts["read"] += 1
    return found
