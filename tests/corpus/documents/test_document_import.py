"""Imports count everything, stop at nothing, and change nothing twice."""

from __future__ import annotations

import io
import os
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from service.corpus import document_ids
from service.corpus.documents import document_import
from service.corpus.documents.document_import import Report
from service.corpus.index import SearchScope
from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.documents import Content, Document
from tests.corpus import hostile, pictures
from tests.corpus.texts import STORE, pdf_file, word_file

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Fill a folder with good, bad and hidden files."""
    (tmp_path / "fees").mkdir()
    (tmp_path / "fees/permit fee.md").write_text("# Fee\n\nA permit costs 30 euro.")
    (tmp_path / "dogs.html").write_text("<h1>Dogs</h1><p>Dogs need a licence.</p>")
    (tmp_path / "permits.docx").write_bytes(word_file())
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-")
    (tmp_path / "lines.jsonl").write_text('{"id": "x#1", "text": "A tram."}\n{\n{"text": "Bus."}')
    (tmp_path / "LICENSE.txt").write_text("Do what you like.")
    (tmp_path / ".hidden.md").write_text("# Hidden")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    return tmp_path


async def ids(store: DocumentStore) -> list[str]:
    return [i async for page in store.all_ids(STORE) for i in page]


async def test_a_folder_is_imported_and_its_bad_files_are_named(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    told: list[Report] = []
    report = await document_import.import_path(
        store, parsers, None, folder, STORE, base_uri="https://city.example/", progress=told.append
    )
    assert (report.succeeded, report.failed, report.total, report.unchanged) == (5, 2, 7, 0)
    assert [(failure.source, failure.reason) for failure in report.failures] == [
        ("lines.jsonl", "INVALID_JSON"),
        ("broken.pdf", "BROKEN_FILE"),
    ]
    assert told[-1] == report
    own = document_ids.from_path("fees/permit fee.md")
    document = await store.get(names.document(STORE, own))
    assert document.derived_struct_data == {
        "title": "Fee",
        "link": "https://city.example/fees/permit fee.md",
    }
    assert document.index_time is not None
    assert document.index_status is not None
    assert document.content == Content(
        mime_type="text/markdown", uri="https://city.example/fees/permit fee.md"
    )


async def test_importing_again_changes_only_what_changed(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    await document_import.import_path(store, parsers, None, folder, STORE)
    before = await store.feed.read(STORE, 0)
    again = await document_import.import_path(store, parsers, None, folder, STORE)
    assert (again.succeeded, again.unchanged) == (5, 5)
    assert (await store.feed.read(STORE, before.position)).ids == ()
    (folder / "dogs.html").write_text("<h1>Dogs</h1><p>Dogs must be on a lead.</p>")
    third = await document_import.import_path(store, parsers, None, folder, STORE)
    assert (third.succeeded, third.unchanged) == (5, 4)
    assert (await store.feed.read(STORE, before.position)).ids == ("dogs.html",)
    larger = await document_import.import_path(store, parsers, None, folder, STORE, chunk_size=400)
    assert larger.unchanged == 0


async def test_images_beside_a_page_come_with_it_and_change_it(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    (folder / "fees/zones.md").write_text("# Zones\n\nThere are two zones.\n\n![Map](map.png)")
    shown = document_ids.from_path("fees/zones.md")

    async def images(drawn: bytes) -> list[bytes]:
        (folder / "fees/map.png").write_bytes(drawn)
        report = await document_import.import_path(store, parsers, None, folder, STORE)
        assert report.unchanged in (0, report.succeeded - 1)
        found = await store.figures.figures(STORE, [shown])
        wanted = [(STORE, shown, figure.digest) for figure in found.get(shown, ())]
        return await store.figures.images(wanted)

    first, second = await images(pictures.png()), await images(pictures.png("blue"))
    assert [Image.open(io.BytesIO(one)).getpixel((20, 20)) for one in first + second] == [
        (255, 0, 0),
        (0, 0, 255),
    ]
    (stored,) = (await store.contents(STORE, [shown])).values()
    assert stored.chunks[0].text == "# Zones\n\nThere are two zones.\n\nMap".removeprefix("# ")
    assert await images(b"broken") == []


async def test_what_is_missing_is_deleted_only_if_asked_for(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    await document_import.import_path(store, parsers, None, folder, STORE)
    (folder / "dogs.html").unlink()
    (folder / "permits.docx").write_bytes(b"damaged meanwhile")
    kept = await document_import.import_path(store, parsers, None, folder, STORE)
    assert kept.deleted == 0
    report = await document_import.import_path(
        store, parsers, None, folder, STORE, delete_missing=True
    )
    assert report.deleted == 1
    left = await ids(store)
    assert "dogs.html" not in left
    assert "permits.docx" in left  # it is there, though it cannot be read now


async def test_nothing_is_missing_where_not_all_was_seen(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    """It may lie in the folder that was not read."""
    await document_import.import_path(store, parsers, None, folder, STORE)
    below = folder.joinpath("d", *"d" * 100)
    below.mkdir(parents=True)
    (folder / "dogs.html").rename(below / "dogs.html")
    report = await document_import.import_path(
        store, parsers, None, folder, STORE, delete_missing=True
    )
    assert report.deleted == 0
    (folder / "d").rename(folder / ".d")
    report = await document_import.import_path(
        store, parsers, None, folder, STORE, delete_missing=True
    )
    assert report.deleted == 1


async def test_one_file_is_imported_and_no_file_is_refused(
    store: DocumentStore, parsers: ParsingPool, folder: Path
) -> None:
    assert (
        await document_import.import_path(store, parsers, None, folder / "dogs.html", STORE)
    ).total == 1
    assert await ids(store) == ["dogs.html"]
    with pytest.raises(Unreadable):
        await document_import.import_path(store, parsers, None, folder / "cats.html", STORE)


async def test_inline_documents_are_found_when_the_import_returns(
    store: DocumentStore, parsers: ParsingPool
) -> None:
    documents = [
        Document(
            id="bytes",
            content=Content(raw_bytes=b"# Trams\n\nThe tram is late.", mime_type="text/markdown"),
        ),
        Document(id="fields", struct_data={"title": "Buses", "text": "The bus is early.", "n": 1}),
        Document(id="json", json_data='{"description": "The ferry is full.", "url": "u"}'),
        Document(id="elsewhere", content=Content(uri="gs://bucket/file")),
        Document(id="array", json_data="[]"),
    ]
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        report = await document_import.import_documents(store, parsers, index, documents, STORE)
        scope = SearchScope(data_stores=(STORE,))
        hits = [(await index.search(q, scope, limit=1))[0] for q in ("tram", "bus", "ferry")]
    assert (report.succeeded, report.failed) == (3, 2)
    assert [failure.id for failure in report.failures] == ["elsewhere", "array"]
    assert [hit.chunk.title for hit in hits] == ["Trams", "Buses", "json"]
    assert [hit.chunk.uri for hit in hits] == ["", "", "u"]
    stored = await store.get(names.document(STORE, "fields"))
    assert stored.struct_data == {"title": "Buses", "text": "The bus is early.", "n": 1}
    assert stored.derived_struct_data == {"title": "Buses", "link": ""}


async def test_the_text_of_json_lines_is_cited_in_its_own_bytes(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    text = "\n\nWho pays? \nÉveryone  pays ,  always . \n"
    file = tmp_path / "all.jsonl"
    file.write_bytes(msgspec.json.encode({"doc_id": "a", "text": text, "mime": "text/plain"}))
    await document_import.import_path(store, parsers, None, file, STORE)
    (chunk,) = await store.chunks(names.document(STORE, "a"))
    assert text.encode()[chunk.start_byte : chunk.end_byte].decode() == chunk.text
    assert chunk.text == text.strip()


async def test_links_and_pipes_are_left_out(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "deep").mkdir(parents=True)
    inside.mkdir()
    (outside / "secret.md").write_text("# Secret")
    (outside / "lines.jsonl").write_text('{"text": "Secret."}')
    (inside / "good.md").write_text("# Good")
    (inside / "again.md").symlink_to("good.md")
    (inside / "itself.md").symlink_to("itself.md")
    (inside / "lines.jsonl").symlink_to(outside / "lines.jsonl")
    (inside / "secret.md").symlink_to("../outside/secret.md")
    (inside / "folder").symlink_to(outside, target_is_directory=True)
    os.mkfifo(inside / "pipe.md")
    report = await document_import.import_path(store, parsers, None, inside, STORE)
    assert [(failure.source, failure.reason) for failure in report.failures] == [
        ("folder", "LINK_NOT_FOLLOWED"),
        ("itself.md", "LINK_NOT_FOLLOWED"),
        ("lines.jsonl", "LINK_NOT_FOLLOWED"),
        ("secret.md", "LINK_NOT_FOLLOWED"),
        ("pipe.md", "NOT_A_FILE"),
    ]
    assert await ids(store) == ["good.md"]
    (tmp_path / "named").symlink_to(inside)
    named = await document_import.import_path(store, parsers, None, tmp_path / "named", STORE)
    assert (named.unchanged, named.failed) == (1, 5)
    alone = await document_import.import_path(store, parsers, None, inside / "secret.md", STORE)
    assert (alone.succeeded, alone.failed) == (1, 0)


async def test_an_import_of_what_is_there_starts_no_process(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    (tmp_path / "good.md").write_text("# Good")
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    async with ParsingPool() as idle:
        again = await document_import.import_path(store, idle, None, tmp_path, STORE)
        assert (again.unchanged, idle.pids) == (1, [])


async def test_one_document_over_its_limit_leaves_the_rest_of_its_folder(
    store: DocumentStore, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# A")
    (tmp_path / "b.json").write_bytes(hostile.HOSTILE["lists.json"]())
    (tmp_path / "c.jsonl").write_text(
        '{"id": "one"}\n{"id": "two", "a": [' + "[]," * 4_000_000 + "1]}"
    )
    async with ParsingPool(ParsingLimits(memory=170 << 20, memory_per_byte=0)) as parsers:
        report = await document_import.import_path(store, parsers, None, tmp_path, STORE)
    assert await ids(store) == ["a.md", "one"]
    assert {(one.source, one.reason) for one in report.failures} == {
        ("b.json", "PARSE_LIMIT"),
        ("c.jsonl", "PARSE_LIMIT"),
    }


async def test_pages_of_a_pdf_and_texts_in_other_languages_are_read(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    pages = [(20, "Scams"), (10, "We never ask for your code.")], [(10, "Report every scam.")]
    (tmp_path / "scams.pdf").write_bytes(pdf_file(*pages))
    (tmp_path / "estafas.es.md").write_text("# Estafas\n\nNunca pedimos su código.\n")
    (tmp_path / "诈骗.zh.md").write_text("# 诈骗\n\n我们从不索要您的验证码。\n")
    report = await document_import.import_path(store, parsers, None, tmp_path, STORE)
    assert (report.succeeded, report.failures) == (3, ())
    texts: list[str] = []
    for own in await ids(store):
        texts += [chunk.text for chunk in await store.chunks(names.document(STORE, own))]
    told = "\n".join(texts)
    for said in ("for your code", "every scam", "su código", "您的验证码"):
        assert said in told
