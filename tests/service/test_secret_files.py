from __future__ import annotations

from pathlib import Path

import pytest

from service import secret_files


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n", " \n"])
def test_the_line_break_at_the_end_is_no_part_of_a_secret(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "secret"
    file.write_bytes(b"k\xc3\xa9y two" + ending.encode())
    assert secret_files.read(file) == "k\xe9y two"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"s3cret\nX-Evil: 1", "one line of text"),
        (b"s3cret\0", "one line of text"),
        (b"s3cret\xff", "not UTF-8"),
        (b"s" * 20_000, "more than 16384 bytes"),
    ],
)
def test_what_can_be_no_secret_is_refused_and_not_repeated(
    tmp_path: Path, data: bytes, said: str
) -> None:
    file = tmp_path / "secret"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=said) as refused:
        secret_files.read(file)
    assert "s3cret" not in str(refused.value)


def test_a_file_that_is_absent_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        secret_files.read(tmp_path / "none")
    with pytest.raises(ValueError, match="Is a directory"):
        secret_files.read(tmp_path)


def test_a_device_that_never_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="more than"):
        secret_files.read(Path("/dev/zero"))


@pytest.mark.parametrize(("mode", "exposed"), [(0o600, False), (0o640, False), (0o644, True)])
def test_a_file_that_every_user_may_read_is_found(tmp_path: Path, mode: int, exposed: bool) -> None:
    file = tmp_path / "secret"
    file.touch()
    file.chmod(mode)
    assert secret_files.is_exposed(file) is exposed
