"""Keep the index of one data store on disk, so that no start has to build it.

A snapshot is a folder: files of tantivy, which never change once they are written, a table of the
documents, and a manifest. A process never works in one: it links the files into a folder of its
own, where it may add and delete. So processes share the memory of what they have in common, and
nothing else. In `write` the order is the promise: the files, then the manifest that names them,
then the deletion of what no manifest names.
"""

from __future__ import annotations

import contextlib
import gc
import secrets
from collections.abc import Generator, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from service.corpus.ranking.index_entries import DocumentAttributes
from service.corpus.tantivy import durable_files, index_writer, snapshot_manifest
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.snapshot_manifest import Damaged, Manifest

_PARTS: Final = (index_writer.CHUNKS, index_writer.DOCUMENTS)
_ROWS: Final = 1_000
"""Rows that are read or written while nothing else of the process can run."""
_ATTEMPTS: Final = 5


class _Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    attributes: DocumentAttributes


_TABLE: Final = msgspec.msgpack.Decoder(list[_Row])


class _Deletes(msgspec.Struct, frozen=True):
    opstamp: int


class _Segment(msgspec.Struct, frozen=True):
    segment_id: str
    deletes: _Deletes | None = None


class _Meta(msgspec.Struct, frozen=True):
    """What we need of tantivy's ``meta.json``."""

    segments: tuple[_Segment, ...]


class Pinned(NamedTuple):
    """A state of a writer that stays on disk whatever becomes of the writer."""

    parts: dict[str, str]
    files: list[str]
    replaced: set[str]
    """Those of *files* that are not what the snapshot had under their names."""
    attributes: Mapping[int, DocumentAttributes]


def open_snapshot(folder: Path, live: Path) -> tuple[IndexWriter, Manifest]:
    """Return the writer that the snapshot in *folder* holds, to be written to in *live*.

    Raises:
        Damaged: it cannot be used.
    """
    for _ in range(_ATTEMPTS):
        manifest = snapshot_manifest.read(folder)
        try:
            for name in manifest.files:
                durable_files.link(folder / name, _live_path(live, name, manifest.table))
        except FileNotFoundError:
            continue  # replaced by a newer one meanwhile, or not whole
        except OSError as exc:
            raise Damaged(f"it cannot be linked: {exc}") from exc
        return _opened(manifest, live), manifest
    raise Damaged("a file is missing")


def pin(writer: IndexWriter, folder: Path) -> Pinned:
    """Link the files of *writer* into *folder*; nothing may be written to it meanwhile.

    Raises:
        OSError: the disk is full, or gone.
    """
    if writer.folder is None:
        raise AssertionError("what is in memory has no files")
    folder.mkdir(mode=0o700, exist_ok=True)
    parts: dict[str, str] = {}
    files: list[str] = []
    replaced: set[str] = set()
    for part in _PARTS:
        live = writer.folder / part
        parts[part] = (live / "meta.json").read_text()
        for file in _files_of(parts[part], live):
            files.append(f"{part}.{file}")
            # Two processes name what they delete from a common file by a count of their changes.
            if durable_files.link(live / file, folder / files[-1]):
                replaced.add(files[-1])
    return Pinned(parts, files, replaced, writer.attributes)


def write(folder: Path, pinned: Pinned, data_store: str, position: int) -> None:
    """Make what was *pinned* the snapshot in *folder*, and delete what belongs to none.

    Raises:
        OSError: the disk is full, or gone.
    """
    before: dict[str, tuple[int, int]] = {}
    with contextlib.suppress(Damaged):
        before = snapshot_manifest.read(folder).files
    table = f"table.{secrets.token_hex(8)}"  # that of the old manifest stays until it is replaced
    durable_files.write(folder / table, _rows(pinned.attributes))
    same = before.keys() - pinned.replaced
    files = {
        name: before[name] if name in same else durable_files.measured(folder / name)
        for name in pinned.files
    }
    files[table] = durable_files.measured(folder / table)
    manifest = Manifest(
        format=snapshot_manifest.fingerprint(),
        data_store=data_store,
        position=position,
        parts=pinned.parts,
        table=table,
        files=files,
    )
    durable_files.sync(folder)  # what the manifest names is there before it
    snapshot_manifest.write(folder, manifest)
    for path in folder.iterdir():
        if path.name != snapshot_manifest.MANIFEST and path.name not in files:
            path.unlink(missing_ok=True)


def _opened(manifest: Manifest, live: Path) -> IndexWriter:
    try:
        for name, measured in manifest.files.items():
            if durable_files.measured(_live_path(live, name, manifest.table)) != tuple(measured):
                raise Damaged(f"{name} is damaged")
        for part in _PARTS:
            folder = live / part
            folder.mkdir(exist_ok=True)
            # Tantivy deletes what it manages and no longer needs.
            managed = [*sorted(path.name for path in folder.iterdir()), "meta.json"]
            (folder / ".managed.json").write_bytes(msgspec.json.encode(managed))
            (folder / "meta.json").write_text(manifest.parts[part])
        table = live / manifest.table
        with _no_collection():
            writer = IndexWriter(live, _read_rows(table))
        table.unlink()
    except (OSError, ValueError, KeyError, msgspec.MsgspecError) as exc:
        raise Damaged(f"it cannot be opened: {exc}") from exc
    return writer


@contextlib.contextmanager
def _no_collection() -> Generator[None]:
    """Look for no garbage: among many new objects that all stay, that takes most of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _live_path(live: Path, name: str, table: str) -> Path:
    """Return where in *live* the file *name* of a snapshot belongs."""
    if name == table:
        return live / name
    part, _, own = name.partition(".")
    if part not in _PARTS or not own or "/" in own or own.startswith("."):
        raise Damaged(f"'{name}' is no name of a file")
    return live / part / own


def _files_of(meta: str, folder: Path) -> Iterator[str]:
    """Yield the files in *folder* that the segments of *meta*, a ``meta.json``, consist of."""
    deletes = {
        segment.segment_id.replace("-", ""): segment.deletes.opstamp if segment.deletes else -1
        for segment in msgspec.json.decode(meta, type=_Meta).segments
    }
    for path in folder.iterdir():
        segment, _, kind = path.name.partition(".")
        if segment in deletes and (not kind.endswith(".del") or kind == f"{deletes[segment]}.del"):
            yield path.name


def _rows(attributes: Mapping[int, DocumentAttributes]) -> Iterator[bytes]:
    rows = (_Row(number, each) for number, each in attributes.items())
    while page := list(islice(rows, _ROWS)):
        packed = msgspec.msgpack.encode(page)
        yield len(packed).to_bytes(4) + packed


def _read_rows(table: Path) -> Iterator[tuple[int, DocumentAttributes]]:
    with table.open("rb") as file:
        while head := file.read(4):
            for row in _TABLE.decode(file.read(int.from_bytes(head))):
                yield row.number, row.attributes
