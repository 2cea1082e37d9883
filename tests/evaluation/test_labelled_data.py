"""Labelled data is read as it is published, and refused by file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from service.evaluation import labelled_data
from service.evaluation.labelled_data import BadData


def write(file: Path, *rows: object) -> None:
    """Write JSON lines, compressed where the name says so."""
    file.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)


def turn(query: str, chat: str, number: int, portal: str = "town") -> dict[str, object]:
    return {
        "query": query,
        "conversation": chat,
        "turn": number,
        "portal": portal,
        "gold": [{"doc_id": "a", "start_byte": 3}],
        "of_others": [1],
    }


def test_a_file_of_documents_comes_with_the_conversations_about_it(tmp_path: Path) -> None:
    write(tmp_path / "corpora/town.jsonl.gz", {"doc_id": "a", "text": "Trams.", "title": None})
    write(tmp_path / "corpora/unasked.jsonl", {"doc_id": "b", "text": "Buses."})
    write(tmp_path / "turns/talk.jsonl", turn("And?", "c", 2), turn("When?", "c", 1))
    (only,) = labelled_data.read(tmp_path)
    assert (only.name, only.documents[0].text) == ("town", "Trams.")
    assert [[one.query for one in chat] for chat in only.conversations] == [["When?", "And?"]]
    assert only.conversations[0][0].set == "talk"
    assert only.conversations[0][0].gold[0].doc_id == "a"


def test_one_of_so_many_conversations_is_taken_whole(tmp_path: Path) -> None:
    write(tmp_path / "corpora/town.jsonl", {"doc_id": "a", "text": "Trams."})
    turns = [turn("When?", f"c{n}", at) for n in range(6) for at in (1, 2)]
    write(tmp_path / "turns/talk.jsonl", *turns)
    (only,) = labelled_data.read(tmp_path, every=3)
    assert [[one.conversation for one in chat] for chat in only.conversations] == [
        ["c0", "c0"],
        ["c3", "c3"],
    ]


@pytest.mark.parametrize(
    ("file", "rows", "told"),
    [
        ("turns/a.txt", [], "turns: holds no file that ends in .jsonl"),
        ("turns/a.jsonl", [{"query": "When?"}], "a.jsonl, line 1: .*conversation"),
        ("turns/a.jsonl", [turn("When?", "c", 1, "moon")], "portal 'moon', and no document does"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, file: str, rows: list[object], told: str
) -> None:
    write(tmp_path / "corpora/town.jsonl", {"doc_id": "a", "text": "Trams."})
    write(tmp_path / file, *rows)
    with pytest.raises(BadData, match=told):
        list(labelled_data.read(tmp_path))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "corpora/town.jsonl", {"doc_id": "a", "text": "Trams."})
    write(tmp_path / "turns/talk.jsonl.gz", *(turn("When?", f"c{n}", 1) for n in range(99)))
    damaged = tmp_path / "turns/talk.jsonl.gz"
    damaged.write_bytes(damaged.read_bytes()[:60])
    with pytest.raises(BadData, match=r"talk\.jsonl\.gz"):
        list(labelled_data.read(tmp_path))
