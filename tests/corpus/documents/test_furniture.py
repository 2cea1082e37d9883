"""What every page of a site repeats at its edges is kept out of answers, and stays citable."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.corpus.documents import document_import
from service.corpus.isolation.pool import ParsingPool
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio

FOOT = "Rules of the city as of 2024-03-0{}."


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


def page(number: int, foot: str) -> str:
    letter = chr(ord("a") + number)
    steps = "\n\n".join(f"In hall {letter} rule {part * letter} holds." for part in range(1, 10))
    middle = "Dogs stay outside."
    return f"# Hall {number}\n\n{steps}\n\n{middle}\n\n{steps} {letter}\n\n{foot}"


def write(folder: Path, count: int, *, with_foot: int) -> None:
    for number in range(count):
        foot = (
            FOOT.format(number % 10)
            if number < with_foot
            else f"The end of hall {chr(97 + number)}!"
        )
        (folder / f"p{number:02}.md").write_text(page(number, foot))


async def said(store: DocumentStore, document: str) -> tuple[str, list[str]]:
    """Return the text of a document, and what of it is in blocks."""
    chunks = await store.chunks(names.document(STORE, document))
    blocks = [chunk.text[one.start : one.end] for chunk in chunks for one in chunk.blocks]
    return "\n".join(chunk.text for chunk in chunks), blocks


async def test_a_repeated_foot_is_no_block_but_stays_in_the_text(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    write(tmp_path, 12, with_foot=11)
    for unchanged in (0, 12):
        report = await document_import.import_path(store, parsers, None, tmp_path, STORE)
        assert report.unchanged == unchanged
        text, blocks = await said(store, "p03.md")
        assert FOOT.format(3) in text
        assert FOOT.format(3) not in blocks
        assert "Dogs stay outside." in blocks


async def test_a_page_that_comes_later_is_told_from_the_pages_before(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    write(tmp_path, 12, with_foot=12)
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    (tmp_path / "later.md").write_text(page(20, FOOT.format(9)))
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    text, blocks = await said(store, "later.md")
    assert FOOT.format(9) in text
    assert FOOT.format(9) not in blocks


async def test_what_is_repeated_no_more_is_a_paragraph_again(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    write(tmp_path, 12, with_foot=12)
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    write(tmp_path, 12, with_foot=4)
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    assert FOOT.format(3) in (await said(store, "p03.md"))[1]


async def test_a_few_pages_and_short_records_show_nothing(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    """What all products are, in stock, is what one asks of each."""
    write(tmp_path, 5, with_foot=5)
    (tmp_path / "shop.jsonl").write_text(
        "\n".join(
            f'{{"id": "s{number}", "text": "Mug {number}.\\n\\nIn stock."}}' for number in range(20)
        )
    )
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    assert FOOT.format(3) in (await said(store, "p03.md"))[1]
    assert "In stock." in " ".join((await said(store, "s3"))[1])


async def test_a_foot_under_short_pages_is_no_answer(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    for number in range(12):
        rule = f"In hall {chr(97 + number)} dogs stay outside."
        (tmp_path / f"p{number:02}.md").write_text(f"# Hall\n\n{rule}\n\nPrivacy | Legal")
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    text, blocks = await said(store, "p03.md")
    assert "Privacy | Legal" in text
    assert blocks == ["Hall", "In hall d dogs stay outside."]


async def test_a_head_that_fills_a_chunk_is_no_answer_and_may_return(
    store: DocumentStore, parsers: ParsingPool, tmp_path: Path
) -> None:
    """What a site says above the first heading of each page is mostly a chunk of its own."""
    for number in range(12):
        (tmp_path / f"p{number:02}.md").write_text("Town guide\n\n" + page(number, "The end."))
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    text, blocks = await said(store, "p03.md")
    assert "Town guide" in text
    assert "Town guide" not in blocks
    chunks = await store.chunks(names.document(STORE, "p03.md"))
    assert all(chunk.blocks for chunk in chunks), "of such a chunk the blocks would be guessed"

    for number in range(8):
        (tmp_path / f"p{number:02}.md").write_text(f"Guide {number * 'a'}\n\n{page(number, '')}")
    (tmp_path / "p11.md").write_text("Town guide\n\n" + page(11, "The end of it."))
    await document_import.import_path(store, parsers, None, tmp_path, STORE)
    assert (await said(store, "p10.md"))[1].count("Town guide") == 1
