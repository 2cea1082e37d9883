"""What is stored of a document has a bound."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from service.corpus import stored_documents
from service.corpus.parsing import document_sources, prepared_documents
from service.corpus.parsing.document_sources import BesideFile, DocumentSource
from service.corpus.parsing.parsed_documents import BodyLimits, Unreadable
from sessions.resources.documents import Document
from tests.corpus import pictures
from tests.corpus.texts import STORE


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ('{"a":' * 100_000, "INVALID_JSON"),
        ('{"a":' + "[" * 100 + "]" * 100 + "}", "TOO_LARGE"),
        ('{"a": [' + "[]," * 200_000 + "1]}", "TOO_LARGE"),
    ],
    ids=["endless", "deep", "many"],
)
def test_fields_that_no_request_may_have_are_refused(fields: str, reason: str) -> None:
    """Each replica holds the fields of all documents, decoded."""
    source = document_sources.of_document(Document(id="d", json_data=fields))
    with pytest.raises(Unreadable) as refused:
        prepared_documents.prepare(source, STORE, now=dt.datetime.now(dt.UTC))
    assert refused.value.reason == reason


def test_what_is_stored_of_a_text_is_bounded() -> None:
    """A small file may make a large text: each chunk repeats the headings above it."""
    data = b"# " + b"h " * 1_000 + b"\n\n" + b"Some words and more of them.\n\n" * 1_000
    source = document_sources.DocumentSource(id="d", data=data, filename="d.md")
    now = dt.datetime.now(dt.UTC)
    assert prepared_documents.prepare(source, STORE, now=now).content
    with pytest.raises(Unreadable) as refused:
        prepared_documents.prepare(source, STORE, now=now, limits=BodyLimits(chunk_bytes=50_000))
    assert refused.value.reason == "TOO_LARGE"


def test_each_image_is_told_with_the_chunk_that_it_stands_in() -> None:
    told = "Ein Satz über Grünflächen steht hier. " * 40
    text = f"# Eins\n\n{told}\n\n![Die Pumpe](a.png)\n\n# Zwei\n\n{told}\n\n![Der Deckel](b.png)\n"
    files = (BesideFile("a.png", pictures.png()), BesideFile("b.png", pictures.png("blue")))
    source = DocumentSource(id="d", data=text.encode(), filename="d.md", files=files)
    made = prepared_documents.prepare(source, STORE, now=dt.datetime.now(dt.UTC))
    content = stored_documents.unpack(made.content)
    assert content is not None
    shown = [content.chunks[figure.chunk].text for figure in made.figures or ()]
    assert ["Die Pumpe" in text for text in shown] == [True, False]
    assert ["Der Deckel" in text for text in shown] == [False, True]
    corpus = "projects/p/locations/global/ragCorpora/c"
    assert prepared_documents.prepare(source, corpus, now=dt.datetime.now(dt.UTC)).figures == ()
    other = msgspec.structs.replace(source, files=(BesideFile("a.png", b""), *files[1:]))
    digests = {document_sources.digest(each, chunk_size=180) for each in (source, other)}
    assert len(digests) == 2
