"""A folder is read without leaving it, a line of a file at a time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.corpus.documents import folders
from service.corpus.documents.folders import ImportFailure
from service.corpus.parsing.document_sources import BesideFile, DocumentSource, JsonLine
from service.corpus.parsing.parsed_documents import BodyLimits

pytestmark = pytest.mark.anyio


def test_a_link_that_comes_between_the_look_and_the_opening_is_not_followed(
    tmp_path: Path,
) -> None:
    inside = tmp_path / "inside"
    (inside / "b").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/doc.md").write_text("# Secret")
    for name in ("a.md", "b/doc.md", "c.md"):
        (inside / name).write_text("# Good")
    found = folders.items(inside, "")
    first = next(found)
    (inside / "c.md").unlink()
    (inside / "c.md").symlink_to("../outside/doc.md")
    (inside / "b").rename(inside / "gone")
    (inside / "b").symlink_to(tmp_path / "outside")
    told = [first, *found]
    assert [one.filename for one in told if isinstance(one, DocumentSource)] == ["a.md"]
    assert not any(isinstance(one, DocumentSource) and b"Secret" in one.data for one in told)


async def test_json_lines_are_read_one_by_one_however_many(tmp_path: Path) -> None:
    """A file over the largest upload was once refused whole; one line that is too long still is."""
    file = tmp_path / "all.jsonl"
    most = BodyLimits().file_bytes
    with file.open("wb") as written:
        written.write(b'\xef\xbb\xbf{"id": "first"}\n\n"')
        written.truncate(most + 4096)  # a hole, which takes no room on the disk
        written.seek(0, os.SEEK_END)
        written.write(b'"\n{"id": "last"}')
    found = list(folders.items(file, ""))
    lines = [(one.number, one.ordinal, one.data) for one in found if isinstance(one, JsonLine)]
    assert lines == [(1, 1, b'{"id": "first"}\n'), (4, 3, b'{"id": "last"}')]
    assert [one.reason for one in found if isinstance(one, ImportFailure)] == ["TOO_LARGE"]


def test_the_images_beside_a_text_are_read_with_it_and_none_from_elsewhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "img").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (inside / "img/a.png").write_bytes(b"a")
    (inside / "b.png").write_bytes(b"b")
    (inside / "link.png").symlink_to(tmp_path / "secret.png")
    (inside / "place").symlink_to(tmp_path)
    os.mkfifo(inside / "pipe.png")
    shown = "img/a.png b.png link.png place/secret.png ../secret.png pipe.png none.png".split()
    text = " ".join(f"![x]({path})" for path in [*shown, str(tmp_path / "secret.png")])
    (inside / "doc.md").write_text(text)
    (inside / "page.html").write_text("<img src='b.png'>")
    (inside / "text.txt").write_text("(b.png)")
    found = [one for one in folders.items(inside, "") if isinstance(one, DocumentSource)]
    both = (BesideFile("img/a.png", b"a"), BesideFile("b.png", b"b"))
    assert [(one.filename, one.files) for one in found] == [
        ("doc.md", both),
        ("page.html", both[1:]),
        ("text.txt", ()),
    ]
    assert [*folders.items(inside / "doc.md", "")] == found[:1]
