"""What an earlier process left on disk is gone on from, and nothing on disk can stop a start."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from service.corpus.index import SearchScope
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import StoredDocument
from service.corpus.tantivy import snapshot_manifest, snapshots
from service.corpus.tantivy.data_store_index import IN_MEMORY
from service.corpus.tantivy.index import TantivyIndex
from service.corpus.tantivy.index_writer import IndexWriter
from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from tests.corpus.doubles import content, entry
from tests.corpus.texts import STORE
from tests.redis_servers import Server
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

COUNT = IN_MEMORY + 50
SCOPE = SearchScope(data_stores=(STORE,))


def library(word: str, ids: range = range(COUNT)) -> list[StoredDocument]:
    return [entry(f"d{n}", f"The {word} runs.", f"It is number{n}.", n=n) for n in ids]


@pytest.fixture
async def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store with a library."""
    store = DocumentStore(redis, keys)
    await store.put(STORE, library("tram"))
    return store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return where the index is kept."""
    return tmp_path / "index"


@pytest.fixture
async def left(store: DocumentStore, folder: Path) -> Path:
    """Return the snapshot that a process left."""
    async with TantivyIndex(store, folder=folder) as index:
        await index.wait_ready()
    return snapshot(folder)


def snapshot(folder: Path) -> Path:
    (manifest,) = folder.glob("*/stores/*/manifest")
    return manifest.parent


def is_there(path: Path) -> bool:
    return path.exists()


def files(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


def spoil(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("no folder")


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records]


async def found(index: TantivyIndex, query: str) -> set[str]:
    hits = await index.search(query, SCOPE, limit=COUNT)
    return {hit.chunk.document.rpartition("/")[2] for hit in hits}


async def started(store: DocumentStore, folder: Path | None, *queries: str) -> list[set[str]]:
    async with TantivyIndex(store, folder=folder) as index:
        await index.wait_ready()
        return [await found(index, query) for query in queries]


async def forget_texts(redis: Redis, keys: Keys) -> None:
    """Take from Redis what an index is built from, unnoticed: who builds one finds nothing."""
    key = keys.corpus(STORE, "passages")
    await redis.execute(key, "DEL", key)


async def test_a_second_start_reads_what_is_on_disk(
    store: DocumentStore, left: Path, folder: Path, redis: Redis, keys: Keys
) -> None:
    await forget_texts(redis, keys)
    assert await started(store, None, "number7") == [set()]
    assert await started(store, folder, "number7") == [{"d7"}]
    assert snapshot(folder) == left


async def test_hits_are_the_same_from_disk_and_from_memory(
    store: DocumentStore, left: Path, folder: Path
) -> None:
    async with (
        TantivyIndex(store) as memory,
        TantivyIndex(store, folder=folder) as disk,
    ):
        await memory.wait_ready()
        await disk.wait_ready()
        for query in ("number7", "number8 tram", "runs", "It is the tram"):
            assert await disk.search(query, SCOPE, limit=20) == await memory.search(
                query, SCOPE, limit=20
            )
        assert await disk.list_documents(SCOPE) == await memory.list_documents(SCOPE)
    assert is_there(left)


async def test_a_second_start_takes_what_changed_since_from_the_feed(
    store: DocumentStore, left: Path, folder: Path, redis: Redis, keys: Keys
) -> None:
    await forget_texts(redis, keys)
    await store.put(STORE, library("bus", range(3)))
    await store.delete(STORE, ["d9"])
    assert await started(store, folder, "bus", "number8", "number9") == [
        {"d0", "d1", "d2"},
        {"d8"},
        set(),
    ]
    assert is_there(left)


async def test_where_the_feed_does_not_reach_back_all_is_compared(
    store: DocumentStore, left: Path, folder: Path, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, library("bus", range(3)))
    await store.delete(STORE, ["d9"])
    feed = keys.corpus(STORE, "feed")
    await redis.execute(feed, "XTRIM", feed, "MAXLEN", 1)
    assert await started(store, folder, "bus", "number8", "number9") == [
        {"d0", "d1", "d2"},
        {"d8"},
        set(),
    ]
    assert is_there(left)


async def test_writes_that_a_failover_lost_are_no_part_of_the_index(
    store: DocumentStore, folder: Path, redis: Redis, keys: Keys
) -> None:
    """The promoted replica lacks the last write, and has another in its place by the next start."""
    parts = [
        keys.corpus(STORE, part) for part in ("documents", "passages", "ids", "feed", "number")
    ]
    before = [await redis.execute(part, "DUMP", part) for part in parts]
    await store.put(STORE, library("lost", range(1)))  # replaces d0
    await started(store, folder, "lost")
    for part, dump in zip(parts, before, strict=True):
        await redis.execute(part, "RESTORE", part, 0, dump, "REPLACE")
    await store.put(STORE, library("bus", range(1, 2)))
    assert await started(store, folder, "lost", "number0", "bus") == [set(), {"d0"}, {"d1"}]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def garble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [cut, garble, empty, Path.unlink, replace_by_folder])
@pytest.mark.parametrize("kind", ["manifest", "table.*", "chunks.*.store", "documents.*.term"])
async def test_whatever_is_damaged_is_built_anew(
    store: DocumentStore,
    left: Path,
    folder: Path,
    kind: str,
    harm: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    harm(files(left, kind)[0])
    assert await started(store, folder, "number7") == [{"d7"}]
    assert logged(caplog).count("index_discarded") == 1
    snapshot_manifest.read(snapshot(folder))


async def test_another_version_of_what_is_indexed_is_built_anew(
    store: DocumentStore, left: Path, folder: Path
) -> None:
    """The manifest says by what it was made: tantivy, and our own code that decides about terms."""
    manifest = snapshot_manifest.read(left)
    snapshot_manifest.write(left, msgspec.structs.replace(manifest, format="older"))
    assert await started(store, folder, "number7") == [{"d7"}]
    assert snapshot_manifest.read(snapshot(folder)).format == manifest.format


async def test_what_another_installation_left_is_deleted(
    store: DocumentStore, left: Path, folder: Path, redis: Redis
) -> None:
    other = DocumentStore(redis, Keys(prefix=f"t{secrets.token_hex(6)}"))
    assert await started(other, folder, "number7") == [set()]
    assert not is_there(left)
    assert await started(store, folder, "number7") == [{"d7"}]


async def test_installations_on_one_folder_at_once_leave_each_other_alone(
    store: DocumentStore, folder: Path, redis: Redis
) -> None:
    other = DocumentStore(redis, Keys(prefix=f"t{secrets.token_hex(6)}"))
    await other.put(STORE, library("ferry"))
    async with (
        TantivyIndex(store, folder=folder) as ours,
        TantivyIndex(other, folder=folder) as its,
    ):
        await ours.wait_ready()
        await its.wait_ready()
        assert [bool(await found(each, "ferry")) for each in (ours, its)] == [False, True]


async def test_processes_on_one_folder_build_once_and_are_all_fresh(
    own_server: Server, folder: Path
) -> None:
    """On a server of their own: services of other tests ask theirs now and then."""
    async with connect(own_server.url) as redis:
        store = DocumentStore(redis, Keys("own"))
        await store.put(STORE, library("tram"))
        await _build_once_and_are_all_fresh(store, folder, redis)


async def _build_once_and_are_all_fresh(store: DocumentStore, folder: Path, redis: Redis) -> None:
    def read(stats: bytes) -> int:
        found = re.search(rb"cmdstat_hmget:calls=(\d+)", stats)
        return int(found[1]) if found else 0

    before = read(await redis.execute(b"", "INFO", "commandstats"))
    async with TantivyIndex(store, folder=folder) as one, TantivyIndex(store, folder=folder) as two:
        for each in (one, two):
            await each.wait_ready()
            assert await found(each, "number7") == {"d7"}
        after = read(await redis.execute(b"", "INFO", "commandstats"))
        assert after - before == 1  # one page of what is stored, read once
        await store.put(STORE, library("bus", range(1)))
        for each in (one, two):
            await each.refresh(STORE)
            assert await found(each, "bus") == {"d0"}


async def test_a_deleted_data_store_leaves_the_disk(
    store: DocumentStore, left: Path, folder: Path
) -> None:
    async with TantivyIndex(store, folder=folder) as index:
        await index.wait_ready()
        await store.drop(STORE)
        await index.refresh(STORE)
        assert await found(index, "number7") == set()
        assert not is_there(left)
    assert files(folder, "**/*.store") == []


async def test_one_deleted_while_nobody_ran_leaves_the_disk_at_the_start(
    store: DocumentStore, left: Path, folder: Path
) -> None:
    await store.drop(STORE)
    assert await started(store, folder, "number7") == [set()]
    assert not is_there(left)


async def test_small_data_stores_take_no_place_on_disk(
    redis: Redis, keys: Keys, folder: Path
) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, library("tram", range(IN_MEMORY)))
    async with TantivyIndex(store, folder=folder) as index:
        await index.wait_ready()
        assert files(folder, "*/stores/*") == []
        await store.put(STORE, library("bus", range(IN_MEMORY, COUNT)))
        await index.refresh(STORE)
        assert len(await found(index, "bus")) == 50
        assert await found(index, "number7") == {"d7"}
        await eventually(lambda: len(files(folder, "*/stores/*/manifest")) == 1)


async def test_a_disk_that_fails_is_done_without(
    store: DocumentStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with TantivyIndex(store, folder=folder) as index:
        await index.wait_ready()
        spoil(folder)
        await store.put(STORE, library("bus", range(1)))
        await index.refresh(STORE)
        assert await found(index, "bus") == {"d0"}
        await store.delete(STORE, ["d0"])
        await eventually(lambda: follows(index, "bus", set()))
        assert await found(index, "number7") == {"d7"}
    assert "index_failed" in caplog.text


async def follows(index: TantivyIndex, query: str, expected: set[str]) -> bool:
    return await found(index, query) == expected


async def test_without_a_folder_that_can_be_written_it_stays_in_memory(
    store: DocumentStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(folder)
    assert await started(store, folder, "number7") == [{"d7"}]
    assert logged(caplog).count("index_in_memory") == 1


async def test_nothing_is_left_of_a_process_but_its_snapshots(left: Path) -> None:
    assert files(left.parent.parent, "live/*") == []
    named = snapshot_manifest.read(left).files
    assert {path.name for path in files(left, "*")} == {*named, "manifest"}


class _Leaving(DocumentStore):
    """A store whose Redis goes away in the middle of what is read from it, three times."""

    left = 3

    async def packed_contents(self, data_store: str, ids: Sequence[str]) -> dict[str, bytes]:
        if self.left:
            self.left -= 1
            raise Unavailable("away", reason="REDIS_UNAVAILABLE")
        return await super().packed_contents(data_store, ids)


async def test_an_index_that_could_not_be_built_leaves_nothing_on_disk(
    store: DocumentStore, folder: Path, redis: Redis, keys: Keys
) -> None:
    async with TantivyIndex(_Leaving(redis, keys), folder=folder) as index:
        for _ in range(3):
            with pytest.raises(Unavailable):
                await index.refresh(STORE)
        await index.refresh(STORE)
        assert await found(index, "number7") == {"d7"}
        assert len(files(folder, "*/live/*/*/chunks")) == 1


async def test_a_snapshot_may_follow_that_of_a_process_with_other_deletions(tmp_path: Path) -> None:
    """Both delete from one file, and name what they deleted alike."""
    folder, lives = tmp_path / "snapshot", [tmp_path / f"live{n}" for n in range(4)]
    for live in lives:
        live.mkdir()
    writer = IndexWriter(lives[0])
    writer.apply({f"d{n}": content(f"d{n}", "The tram runs.") for n in range(9)})
    writer.wait_for_merges()
    snapshots.write(folder, snapshots.pin(writer, folder), STORE, 1)
    both = [snapshots.open_snapshot(folder, live)[0] for live in lives[1:3]]
    for position, each in enumerate(both, start=2):
        each.apply({}, [f"d{position}"])
        each.wait_for_merges()
        snapshots.write(folder, snapshots.pin(each, folder), STORE, position)
    again, manifest = snapshots.open_snapshot(folder, lives[3])
    assert (manifest.position, again.ids()) == (3, both[1].ids())
