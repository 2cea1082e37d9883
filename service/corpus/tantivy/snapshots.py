"""Keep the index of one data store on disk, so that no start has to build it.

A snapshot is a folder: files of tantivy, which never change once they are written, a table of the
documents, and a manifest. That names them all with their checksums, and the position in the feed
that they include. It is replaced last and at once, so whoever dies before leaves the old one valid.

A process never works in a snapshot: it links the files into a folder of its own, where it may add
and delete. So processes share the memory of what they have in common, and nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import os
import secrets
import shutil
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from service.corpus import stored_documents
from service.corpus.storage import document_store
from service.corpus.tantivy import index_reader, index_writer
from service.corpus.tantivy.index_reader import DocumentAttributes
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import index_terms, stemming, tags, words

FORMAT: Final = 1
"""Of the manifest and the table."""

_MANIFEST: Final = "manifest"
_PARTS: Final = (index_writer.CHUNKS, index_writer.DOCUMENTS)
_ROWS: Final = 1_000
"""Rows that are read or written while nothing else of the process can run."""
_ATTEMPTS: Final = 5


DECIDING: Final = (
    document_store,
    index_reader,
    index_terms,
    index_writer,
    stemming,
    stored_documents,
    tags,
    words,
)
"""The modules whose code decides what is in an index: terms that were made otherwise meet no query.
What language a document is in is not decided here; it is stored with the document."""


class _Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    attributes: DocumentAttributes


_TABLE: Final = msgspec.msgpack.Decoder(list[_Row])


class Damaged(Exception):
    """What is on disk is no snapshot of this version, or not whole."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a snapshot consists of: *parts* are the tantivy indexes, each by its ``meta.json``."""

    format: str
    data_store: str
    position: int
    parts: dict[str, str]
    table: str
    files: dict[str, tuple[int, int]]
    """The size and the checksum of each file."""


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


@functools.cache
def fingerprint() -> str:
    """Return what changes with everything that decides what is in an index."""
    described = hashlib.blake2b(f"{FORMAT} {metadata.version('tantivy')}".encode(), digest_size=16)
    for module in DECIDING:
        described.update(Path(str(module.__file__)).read_bytes())
    return described.hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Return what the snapshot in *folder* says of itself.

    Raises:
        Damaged: there is none, or none of this version.
    """
    try:
        checksum, _, body = (folder / _MANIFEST).read_bytes().partition(b"\n")
        if int(checksum, 16) != zlib.crc32(body):
            raise Damaged("the manifest is damaged")
        manifest = msgspec.json.decode(body, type=Manifest)
    except (OSError, ValueError, msgspec.MsgspecError) as exc:
        raise Damaged(f"the manifest cannot be read: {exc}") from exc
    if manifest.format != fingerprint():
        raise Damaged("it is of another version")
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Let *manifest* say at once what the snapshot in *folder* is, and for good."""
    body = msgspec.json.encode(manifest)
    _write_durably(folder / _MANIFEST, [f"{zlib.crc32(body):08x}\n".encode() + body])
    _sync(folder)


def open_snapshot(folder: Path, live: Path) -> tuple[IndexWriter, Manifest]:
    """Return the writer that the snapshot in *folder* holds, to be written to in *live*.

    Raises:
        Damaged: it cannot be used.
    """
    for _ in range(_ATTEMPTS):
        manifest = read_manifest(folder)
        try:
            for name in manifest.files:
                _link(folder / name, _place(live, name, manifest.table))
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
            if _link(live / file, folder / files[-1]):
                replaced.add(files[-1])
    return Pinned(parts, files, replaced, writer.attributes)


def write(folder: Path, pinned: Pinned, data_store: str, position: int) -> None:
    """Make what was *pinned* the snapshot in *folder*, and delete what belongs to none.

    Raises:
        OSError: the disk is full, or gone.
    """
    before: dict[str, tuple[int, int]] = {}
    with contextlib.suppress(Damaged):
        before = read_manifest(folder).files
    table = f"table.{secrets.token_hex(8)}"  # that of the old manifest stays until it is replaced
    _write_durably(folder / table, _rows(pinned.attributes))
    same = before.keys() - pinned.replaced
    files = {
        name: before[name] if name in same else _measured(folder / name) for name in pinned.files
    }
    files[table] = _measured(folder / table)
    manifest = Manifest(
        format=fingerprint(),
        data_store=data_store,
        position=position,
        parts=pinned.parts,
        table=table,
        files=files,
    )
    _sync(folder)  # what the manifest names is there before it
    write_manifest(folder, manifest)
    for path in folder.iterdir():
        if path.name != _MANIFEST and path.name not in files:
            path.unlink(missing_ok=True)


def _opened(manifest: Manifest, live: Path) -> IndexWriter:
    try:
        for name, measured in manifest.files.items():
            if _measured(_place(live, name, manifest.table)) != tuple(measured):
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


def _place(live: Path, name: str, table: str) -> Path:
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


def _link(source: Path, target: Path) -> bool:
    """Give the file *source* another name, or copy it where the file system has no links.

    Tells whether it did not have that name already.
    """
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if target.samefile(source):
            return False
        target.unlink()
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)  # raises what it was where there is no such file
        _sync(target)
    return True


def _measured(path: Path) -> tuple[int, int]:
    size = checksum = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return size, checksum


def _write_durably(path: Path, blocks: Iterable[bytes]) -> None:
    """Replace the file at *path* at once by *blocks*, on disk when this returns."""
    draft = path.with_name(f"{path.name}.draft")
    with draft.open("wb") as file:
        for block in blocks:
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
