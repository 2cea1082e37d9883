"""What threads share gives each of them what it gives one alone, from the first call on."""

from __future__ import annotations

import importlib.util
import random
import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from service.corpus.document_filters import parse
from service.corpus.parsing.formats import html, markdown
from service.corpus.parsing.parsed_documents import BodyLimits
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import content_terms, index_terms, sentences, stemming

_T = TypeVar("_T")
THREADS = 8
TEXTS = [f"# Café {n}\n\n- **item** `{n}`\n- [link](x) stays. Go on." for n in range(40)]


@pytest.fixture(autouse=True)
def _hasty() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction] - pytest uses it
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def wrong(work: Callable[[str], _T], expected: Mapping[str, _T]) -> list[Any]:
    """Do *work* for everything at once in many threads; return what came out otherwise."""
    found: list[Any] = []

    def run(items: Sequence[str]) -> None:
        for item in items:
            try:
                if (made := work(item)) != expected[item]:
                    found.append((item, made))
            except Exception as exc:  # noqa: BLE001 - it is what is looked for
                found.append((item, exc))

    orders = [random.sample(list(expected), len(expected)) for _ in range(THREADS)]
    threads = [threading.Thread(target=run, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_stems(language: str) -> None:
    """Words that nobody stemmed before: a wrong stem stayed for the life of the process."""
    ends = ("ationalizations", "ingen", "ами") * 60
    fresh = [f"q{secrets.token_hex(3)}{end}" for end in ends]
    made = {word: stemming.stems(word, language)[0] for word in fresh}
    assert wrong(lambda word: content_terms.term_of(word, language), made) == []


def test_terms() -> None:
    """An analyser of tantivy is one object for all threads."""
    made = {text: index_terms.of(text * 20, "en") for text in TEXTS}
    assert wrong(lambda text: index_terms.of(text * 20, "en"), made) == []


@pytest.mark.parametrize("read", [markdown.read, html.read])
def test_documents(read: Callable[[str, BodyLimits], Any]) -> None:
    made = {text: read(text, BodyLimits()) for text in TEXTS}
    assert wrong(lambda text: read(text, BodyLimits()), made) == []


def test_sentences() -> None:
    made = {text: sentences.spans(text) for text in TEXTS}
    assert wrong(sentences.spans, made) == []


def test_the_rules_of_markdown_are_there_before_the_first_text() -> None:
    """They are compiled at first use, and a second thread would find some of them missing."""
    spec = importlib.util.spec_from_file_location("fresh", markdown.__file__)
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    parser = fresh._MARKDOWN
    rulers = (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2)
    assert all(ruler.__cache__ for ruler in rulers)


def test_a_reader_that_is_searched_while_its_writer_goes_on() -> None:
    writer = IndexWriter()
    writer.apply({str(n): _passages(n) for n in range(300)})
    reader, failures = writer.reader, list[BaseException]()

    def look() -> None:
        try:
            for n in range(300):  # each is another one, so that nothing is remembered
                assert len(reader.matching(parse(f'NOT team: ANY("{n}")'))) == 300
        except BaseException as exc:  # noqa: BLE001 - it is what is looked for
            failures.append(exc)

    searching = threading.Thread(target=look)
    searching.start()
    for lot in range(300, 900, 100):
        writer.apply({str(n): _passages(n) for n in range(lot, lot + 100)})
    searching.join()
    assert failures == []


def _passages(number: int) -> IndexContent:
    return IndexContent(
        title=f"t{number}", language="en", chunks=(StoredChunk("text", (), 0, 0, 4),)
    )
