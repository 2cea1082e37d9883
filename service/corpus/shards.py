"""Write one data store into memory, with tantivy: chunks, and whole documents beside them.

Each data store has indexes of its own, so that its boundary holds by construction and what is a
rare word is counted in it alone. Nothing here awaits: writing belongs in a thread, one at a time.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
from collections.abc import Collection, Generator, Mapping
from typing import Final

import msgspec
import tantivy

from service.corpus import terms
from service.corpus.store import Passages
from service.corpus.views import Known, Payload, View
from service.native_calls import TANTIVY

_LANGUAGES: Final = 3
"""Languages of a data store that a query is stemmed for, the commonest ones."""
_HEAP: Final = 32_000_000


class Shard:
    """The searchable documents of one data store."""

    def __init__(self) -> None:
        self._chunk_schema = _schema(payload=True)
        self._document_schema = _schema(payload=False)
        self._chunks = tantivy.Index(self._chunk_schema)
        self._documents = tantivy.Index(self._document_schema)
        self._numbers: dict[str, int] = {}
        self._known: dict[int, Known] = {}
        self._next = itertools.count(1)
        self._spoken: collections.Counter[str] = collections.Counter()
        self.view = self._look()

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._numbers)

    def ids(self) -> set[str]:
        """Return the ids of all documents."""
        return set(self._numbers)

    @TANTIVY.around
    def apply(self, changed: Mapping[str, Passages], gone: Collection[str] = ()) -> None:
        """Replace the documents in *changed* by id and remove those in *gone*; show a new view.

        A search in an older view goes on undisturbed.
        """
        replaced = dict.fromkeys(i for i in (*changed, *gone) if i in self._numbers)
        numbers = [self._numbers.pop(i) for i in replaced]
        with _writing(self._chunks) as chunks, _writing(self._documents) as documents:
            for number in numbers:
                self._spoken[self._known[number].passages.language] -= 1
                chunks.delete_documents_by_term("document", number)
                documents.delete_documents_by_term("document", number)
            for i, passages in changed.items():
                self._add(chunks, documents, i, passages)
        # Views hold the mapping that they were made with, so it is copied, once for each call.
        left = self._known.keys() - numbers
        self._known = {n: known for n, known in self._known.items() if n in left}
        self.view = self._look()

    def _look(self) -> View:
        self._chunks.reload()
        self._documents.reload()
        spoken = [language for language, count in self._spoken.most_common() if count > 0]
        return View(
            chunks=self._chunks.searcher(),
            chunk_schema=self._chunk_schema,
            documents=self._documents.searcher(),
            document_schema=self._document_schema,
            known=self._known,
            numbers=dict(self._numbers),
            spoken=tuple(spoken[:_LANGUAGES]),
        )

    def _add(
        self,
        chunks: tantivy.IndexWriter,
        documents: tantivy.IndexWriter,
        document_id: str,
        passages: Passages,
    ) -> None:
        number = next(self._next)
        language = passages.language
        title = " ".join(terms.of(passages.title, language))
        whole: list[str] = []
        for at, passage in enumerate(passages.passages):
            body = " ".join(terms.of(passage.text, language))
            entry = _entry(number, title, body)
            entry.add_text("headings", " ".join(terms.of("\n".join(passage.headings), language)))
            entry.add_bytes("payload", msgspec.msgpack.encode(Payload(at, passage)))
            chunks.add_document(entry)
            whole.append(body)
        if len(whole) > 1:
            documents.add_document(_entry(number, title, " ".join(whole)))
        bare = msgspec.structs.replace(passages, passages=())
        self._numbers[document_id] = number
        self._known[number] = Known(document_id, bare, len(whole))
        self._spoken[language] += 1


def _schema(*, payload: bool) -> tantivy.Schema:
    """Describe an entry: terms separated by spaces, and the number of its document."""
    builder = tantivy.SchemaBuilder()
    for field in ("title", "headings", "body"):
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_integer_field("document", indexed=True, fast=True)
    if payload:
        builder.add_bytes_field("payload", stored=True)
    return builder.build()


def _entry(number: int, title: str, body: str) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_integer("document", number)
    entry.add_text("title", title)
    entry.add_text("body", body)
    return entry


@contextlib.contextmanager
def _writing(index: tantivy.Index) -> Generator[tantivy.IndexWriter]:
    """Open *index* for writing and commit at the end: idle, it has no buffers and threads."""
    writer = index.writer(_HEAP, num_threads=1)
    yield writer
    writer.commit()
    writer.wait_merging_threads()
