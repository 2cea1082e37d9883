"""The file of a backup: what is in it, and whether it is whole.

It begins with `MAGIC`, which names the form, and ends with the SHA-256 of all before. In between is
one zlib stream of messages in msgpack, each behind its length: a `BackupHeader`, the keys, and a
`BackupEnd` with what was counted. A file that was cut or damaged is found by `BackupFile.verify`
before anything of it is used.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec

from service.backups.key_records import KeyRecord
from sessions.errors import FailedPrecondition

MAGIC: Final = b"colloquy backup 1\n"
_NAME: Final = b"colloquy backup "
_CHUNK: Final = 1 << 20
_SUM: Final = hashlib.sha256().digest_size
_LEVEL: Final = 1  # what is stored is mostly text; a better compression takes several times longer


class BackupHeader(msgspec.Struct, frozen=True, array_like=True, tag="header"):
    """What was backed up: *install* are the fields of the installation, *made* epoch ms."""

    made: int
    colloquy: str
    server: str
    install: dict[str, bytes]


class BackupCounts(msgspec.Struct, kw_only=True):
    """How much of each kind is in a backup."""

    sessions: int = 0
    conversations: int = 0
    answers: int = 0
    documents: int = 0
    keys: int = 0
    """Keys of any kind, those of the others as well."""


class BackupEnd(msgspec.Struct, frozen=True, array_like=True, tag="end"):
    """Ends a backup."""

    counts: BackupCounts


_DECODER: Final[msgspec.msgpack.Decoder[BackupHeader | KeyRecord | BackupEnd]] = (
    msgspec.msgpack.Decoder(BackupHeader | KeyRecord | BackupEnd)
)


class BackupWriter:
    """Writes a backup to an open file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sum = hashlib.sha256()
        self._compressor = zlib.compressobj(_LEVEL)
        self.counts = BackupCounts()
        self.size = 0
        """Bytes written."""
        self._write(MAGIC)

    def add(self, message: BackupHeader | KeyRecord | BackupEnd) -> None:
        """Write *message* behind the others."""
        packed = msgspec.msgpack.encode(message)
        self._write(self._compressor.compress(len(packed).to_bytes(4, "big") + packed))

    def finish(self) -> None:
        """Write what makes the file whole; nothing is added after that."""
        self.add(BackupEnd(self.counts))
        self._write(self._compressor.flush())
        self.size += self._file.write(self._sum.digest())
        self._file.flush()

    def _write(self, data: bytes) -> None:
        self._sum.update(data)
        self.size += self._file.write(data)


class BackupFile:
    """A backup that is read; *name* is what messages call it. The file has to be seekable."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name

    def verify(self) -> None:
        """Make sure that the file is a backup, in a form that is known, and whole.

        Raises:
            FailedPrecondition: it is not.
        """
        self._file.seek(0)
        begin = self._file.read(len(MAGIC))
        if begin != MAGIC:
            if begin.startswith(_NAME):
                raise _unusable(
                    f"{self._name} was made by a newer version of Colloquy: restore it with that",
                    "BACKUP_FORM_UNKNOWN",
                )
            raise _unusable(f"{self._name} is no backup of Colloquy", "NO_BACKUP")
        left = self._length() - len(MAGIC)
        found = hashlib.sha256(begin)
        while left > 0 and (data := self._file.read(min(_CHUNK, left))):
            found.update(data)
            left -= len(data)
        if left or self._file.read(_SUM) != found.digest():
            raise _unusable(
                f"{self._name} is cut off or damaged: its checksum is not that of its contents; "
                "nothing was restored, take another backup",
                "BACKUP_DAMAGED",
            )

    def header(self) -> BackupHeader:
        """Return what the file, which was verified, says of itself."""
        return next(each for each in self.messages() if isinstance(each, BackupHeader))

    def messages(self) -> Iterator[BackupHeader | KeyRecord | BackupEnd]:
        """Yield everything in the file, which was verified."""
        self._file.seek(len(MAGIC))
        left = self._length() - len(MAGIC)
        decompressor, buffer = zlib.decompressobj(), bytearray()
        while left > 0:
            data = self._file.read(min(_CHUNK, left))
            left -= len(data)
            while data:
                buffer += decompressor.decompress(data, _CHUNK)
                data = decompressor.unconsumed_tail
                yield from _taken(buffer)

    def _length(self) -> int:
        """Return how many bytes there are before the checksum."""
        at = self._file.tell()
        end = self._file.seek(0, os.SEEK_END)
        self._file.seek(at)
        return end - _SUM


def _taken(buffer: bytearray) -> Iterator[BackupHeader | KeyRecord | BackupEnd]:
    """Take the messages that are whole from the beginning of *buffer*."""
    at = 0
    while len(buffer) - at >= 4:
        end = at + 4 + int.from_bytes(buffer[at : at + 4], "big")
        if end > len(buffer):
            break
        yield _DECODER.decode(bytes(buffer[at + 4 : end]))
        at = end
    del buffer[:at]


def _unusable(message: str, reason: str) -> FailedPrecondition:
    return FailedPrecondition(message, reason=reason)
