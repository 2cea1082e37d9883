"""A file gives back what was written, and one that is not whole gives nothing."""

from __future__ import annotations

import io

import pytest

from service.backups.backup_file import MAGIC, BackupEnd, BackupFile, BackupHeader, BackupWriter
from service.backups.key_records import KeyRecord
from sessions.errors import FailedPrecondition

HEADER = BackupHeader(1, "1.0", "Redis 7", {"schema": b"1"})
RECORDS = [
    KeyRecord(b"a", "string", 0, ((b"\x00\xff" * 900_000,),)),
    KeyRecord(b"b", "hash", 12, ((b"f", b"v"), (b"g", b"")), (), continues=True),
    KeyRecord(b"c", "stream", 0, ((b"1-1", b"e", b"x"),), (b"1-1", b"1", b"0-0")),
]


def written() -> bytes:
    file = io.BytesIO()
    writer = BackupWriter(file)
    for each in (HEADER, *RECORDS):
        writer.add(each)
    writer.counts.sessions = 3
    writer.finish()
    assert writer.size == len(file.getvalue())
    return file.getvalue()


def test_what_was_written_is_read() -> None:
    file = BackupFile(io.BytesIO(written()), "it")
    file.verify()
    *messages, end = file.messages()
    assert messages == [HEADER, *RECORDS]
    assert isinstance(end, BackupEnd)
    assert end.counts.sessions == 3
    assert file.header() == HEADER


@pytest.mark.parametrize("left", [len(MAGIC), len(MAGIC) + 1, 40, 100, -33, -32, -1])
def test_a_file_that_was_cut_is_refused(left: int) -> None:
    with pytest.raises(FailedPrecondition, match="it is cut off or damaged") as refused:
        BackupFile(io.BytesIO(written()[:left]), "it").verify()
    assert refused.value.reason == "BACKUP_DAMAGED"


@pytest.mark.parametrize("at", [len(MAGIC), 60, -50, -32, -1])
def test_a_file_with_one_wrong_bit_is_refused(at: int) -> None:
    data = bytearray(written())
    data[at] ^= 1
    with pytest.raises(FailedPrecondition, match="cut off or damaged"):
        BackupFile(io.BytesIO(data), "it").verify()


def test_a_file_with_something_behind_it_is_refused() -> None:
    with pytest.raises(FailedPrecondition, match="cut off or damaged"):
        BackupFile(io.BytesIO(written() + b"x"), "it").verify()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"colloquy"])
def test_what_is_no_backup_is_called_so(data: bytes) -> None:
    with pytest.raises(FailedPrecondition, match="it is no backup of Colloquy"):
        BackupFile(io.BytesIO(data), "it").verify()


def test_a_form_that_is_not_known_is_refused() -> None:
    with pytest.raises(FailedPrecondition, match="newer version of Colloquy"):
        BackupFile(io.BytesIO(b"colloquy backup 2\n..."), "it").verify()
