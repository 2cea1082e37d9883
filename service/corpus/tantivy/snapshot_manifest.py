"""What a snapshot says of itself, and of which version it is.

The manifest names all files of a snapshot with their checksums, and the position in the feed that
they include. It is written last and at once, so whoever dies before leaves the old one valid. One
of another `fingerprint` is thrown away, and the index built anew.
"""

from __future__ import annotations

import functools
import hashlib
import zlib
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from service.corpus import stored_documents
from service.corpus.ranking import document_terms, index_entries
from service.corpus.ranking.queries import question_keys
from service.corpus.storage import document_store
from service.corpus.tantivy import durable_files, index_writer
from service.language import chinese, index_terms, question_kinds, stemming, tags, words
from service.language.queries import section_numbers, short_forms

FORMAT: Final = 1
"""Of the manifest and the table."""
MANIFEST: Final = "manifest"
"""The name of its file."""

DECIDING: Final = (
    chinese,
    document_store,
    document_terms,
    index_entries,
    index_terms,
    index_writer,
    question_keys,
    question_kinds,
    section_numbers,
    short_forms,
    stemming,
    stored_documents,
    tags,
    words,
)
"""The modules whose code decides what is in an index: terms that were made otherwise meet no query.
What language a document is in is not decided here; it is stored with the document."""


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


@functools.cache
def fingerprint() -> str:
    """Return what changes with everything that decides what is in an index."""
    described = hashlib.blake2b(f"{FORMAT} {metadata.version('tantivy')}".encode(), digest_size=16)
    for module in DECIDING:
        described.update(Path(str(module.__file__)).read_bytes())
    described.update(chinese.table().encode())
    return described.hexdigest()


def read(folder: Path) -> Manifest:
    """Return what the snapshot in *folder* says of itself.

    Raises:
        Damaged: there is none, or none of this version.
    """
    try:
        checksum, _, body = (folder / MANIFEST).read_bytes().partition(b"\n")
        if int(checksum, 16) != zlib.crc32(body):
            raise Damaged("the manifest is damaged")
        manifest = msgspec.json.decode(body, type=Manifest)
    except (OSError, ValueError, msgspec.MsgspecError) as exc:
        raise Damaged(f"the manifest cannot be read: {exc}") from exc
    if manifest.format != fingerprint():
        raise Damaged("it is of another version")
    return manifest


def write(folder: Path, manifest: Manifest) -> None:
    """Let *manifest* say at once what the snapshot in *folder* is, and for good."""
    body = msgspec.json.encode(manifest)
    durable_files.write(folder / MANIFEST, [f"{zlib.crc32(body):08x}\n".encode() + body])
    durable_files.sync(folder)
