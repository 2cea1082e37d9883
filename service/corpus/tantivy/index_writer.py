"""Write one data store with tantivy: chunks, and whole documents beside them.

Each data store has indexes of its own, so that its boundary holds by construction and what is a
rare word is counted in it alone. Nothing here awaits: writing belongs in a thread, one at a time.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import tantivy

from service.corpus.ranking import document_terms, store_languages
from service.corpus.ranking.index_entries import FIELDS, DocumentAttributes, Payload
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.native_calls import TANTIVY, NativeFault

CHUNKS: Final = "chunks"
DOCUMENTS: Final = "documents"
"""The two indexes of a writer; in a folder, each has one of its own."""

_HEAP: Final = 32_000_000


class _Entries(NamedTuple):
    """A document as it is written: an entry for each chunk, and one for all of several."""

    number: int
    attributes: DocumentAttributes
    chunks: list[tantivy.Document]
    whole: list[tantivy.Document]


class IndexWriter:
    """The searchable documents of one data store.

    Whatever a method raises leaves it in no state to go on with: make another one.
    """

    def __init__(
        self, folder: Path | None = None, rows: Iterable[tuple[int, DocumentAttributes]] = ()
    ) -> None:
        """Open what is in *folder*, and *rows* tell of, or begin there; without one, in memory.

        Raises:
            ValueError: what is in *folder* is not what *rows* tell of.
            OSError: the disk is full, or gone.
        """
        self.folder = folder
        self._schemas = {CHUNKS: _schema(payload=True), DOCUMENTS: _schema(payload=False)}
        self._indexes = {
            part: _index(schema, folder and folder / part) for part, schema in self._schemas.items()
        }
        self.attributes: Mapping[int, DocumentAttributes] = dict(rows)
        """The documents by number; nothing changes what was returned."""
        self._numbers = {each.id: number for number, each in self.attributes.items()}
        self.chunks = sum(each.chunks for each in self.attributes.values())
        """How many chunks its documents have."""
        self._next = itertools.count(max(self.attributes, default=0) + 1)
        languages = (each.content.language for each in self.attributes.values())
        self._languages = collections.Counter(languages)
        self._merging: list[tantivy.IndexWriter] = []
        self.reader = self._new_reader()
        self._check()

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._numbers)

    def ids(self) -> set[str]:
        """Return the ids of all documents."""
        return set(self._numbers)

    def digest(self, document_id: str) -> bytes | None:
        """Return the digest that the document of this id was applied with, None without one."""
        number = self._numbers.get(document_id)
        return None if number is None else self.attributes[number].digest

    @TANTIVY.around
    def apply(
        self,
        changed: Mapping[str, IndexContent],
        gone: Collection[str] = (),
        digests: Mapping[str, bytes] | None = None,
    ) -> list[str]:
        """Replace the documents in *changed* by id and remove those in *gone*; have a new reader.

        A search in an older reader goes on undisturbed. Returns the ids of documents of which no
        entry can be made: they are not there afterwards.
        """
        self.wait_for_merges()
        added: list[_Entries] = []
        refused: list[str] = []
        for document_id, content in changed.items():
            digest = (digests or {}).get(document_id, b"")
            try:
                added.append(_entries(next(self._next), document_id, content, digest))
            except NativeFault:
                refused.append(document_id)
        replaced = {*changed, *gone}
        removed = [self._numbers[i] for i in replaced if i in self._numbers]
        self._write(CHUNKS, [entry for one in added for entry in one.chunks], removed)
        several = [number for number in removed if self.attributes[number].chunks > 1]
        self._write(DOCUMENTS, [entry for one in added for entry in one.whole], several)
        self._remember(added, removed)
        self.reader = self._new_reader()
        return refused

    def wait_for_merges(self) -> None:
        """Return when nothing is written any more in the background."""
        if not self._merging:
            return
        while self._merging:
            self._merging.pop().wait_merging_threads()
        self.reader = self._new_reader()

    def _write(self, part: str, added: Sequence[tantivy.Document], removed: Sequence[int]) -> None:
        """Commit a change; idle, an index has no buffers and threads, so its writer ends with it.

        What it merges afterwards, small segments into larger ones, can be searched meanwhile.
        """
        if not added and not removed:
            return
        writer = self._indexes[part].writer(_HEAP, num_threads=1)
        for number in removed:
            writer.delete_documents_by_term("document", number)
        for entry in added:
            writer.add_document(entry)
        writer.commit()
        self._merging.append(writer)

    def _remember(self, added: Sequence[_Entries], removed: Sequence[int]) -> None:
        # In new mappings: readers have the old ones, and other threads use them.
        attributes = dict(self.attributes)
        numbers = dict(self._numbers)
        for number in removed:
            gone = attributes.pop(number)
            del numbers[gone.id]
            self.chunks -= gone.chunks
            self._languages[gone.content.language] -= 1
        for one in added:
            attributes[one.number] = one.attributes
            numbers[one.attributes.id] = one.number
            self.chunks += one.attributes.chunks
            self._languages[one.attributes.content.language] += 1
        self.attributes, self._numbers = attributes, numbers

    def _new_reader(self) -> IndexReader:
        for index in self._indexes.values():
            index.reload()
        chunks, documents = (
            EntrySearcher(self._indexes[part].searcher(), self._schemas[part])
            for part in (CHUNKS, DOCUMENTS)
        )
        return IndexReader(
            chunks=chunks,
            documents=documents,
            attributes=self.attributes,
            numbers=self._numbers,
            languages=store_languages.of(self._languages),
        )

    def _check(self) -> None:
        several = sum(each.chunks > 1 for each in self.attributes.values())
        found = {part: index.searcher().num_docs for part, index in self._indexes.items()}
        if found != {CHUNKS: self.chunks, DOCUMENTS: several}:
            raise ValueError("the index does not hold the documents that it should")


@TANTIVY.around
def _entries(number: int, document_id: str, content: IndexContent, digest: bytes) -> _Entries:
    chunks: list[tantivy.Document] = []
    terms = document_terms.of(content)
    for at, (stored, each) in enumerate(zip(content.chunks, terms, strict=True)):
        entry = _entry(number, each.title, each.body)
        entry.add_text("headings", each.headings)
        entry.add_text("questions", each.questions)
        entry.add_integer("place", at)
        payload = Payload(at, stored, each.body, f"{each.title} {each.headings}")
        entry.add_bytes("payload", msgspec.msgpack.encode(payload))
        chunks.append(entry)
    bodies = [each.body for each in terms]
    whole = [_entry(number, terms[0].title, " ".join(bodies))] if len(bodies) > 1 else []
    attributes = document_terms.attributes(document_id, content, digest)
    return _Entries(number, attributes, chunks, whole)


def _index(schema: tantivy.Schema, folder: Path | None) -> tantivy.Index:
    if folder is None:
        return tantivy.Index(schema)
    folder.mkdir(mode=0o700, exist_ok=True)
    return tantivy.Index(schema, path=str(folder))


def _schema(*, payload: bool) -> tantivy.Schema:
    """Describe an entry: terms separated by spaces, and the number of its document."""
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_integer_field("document", indexed=True, fast=True)
    if payload:
        builder.add_text_field("questions", tokenizer_name="whitespace", index_option="basic")
        builder.add_integer_field("place", indexed=True, fast=True)
        builder.add_bytes_field("payload", stored=True)
    return builder.build()


def _entry(number: int, title: str, body: str) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_integer("document", number)
    entry.add_text("title", title)
    entry.add_text("body", body)
    return entry
