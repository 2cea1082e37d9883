"""Read labelled conversations: a folder of documents and of turns, as ``guide/evaluation.md`` says.

``corpora/*.jsonl`` holds documents, a data store for each file; ``turns/*.jsonl`` holds what was
asked, in conversations. Both may be compressed (``.jsonl.gz``). Fields that are not named here are
left alone, since published collections have many of their own.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

_T = TypeVar("_T")
_ENDINGS: Final = (".jsonl", ".jsonl.gz")


class BadData(Exception):
    """The data cannot be used; the message names file, line and field."""


class LabelledDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as it is imported; *portal* is what turns name it by, the file without one."""

    doc_id: str
    text: str
    portal: str = ""
    title: str | None = ""
    mime: str = "text/plain"
    uri: str | None = ""


class Gold(msgspec.Struct, frozen=True):
    """A document that holds the answer."""

    doc_id: str


Answerability = Literal["answerable", "partial", "unanswerable", "underspecified", "conversational"]


class LabelledTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A query, what it is answered from, and how a person answered it."""

    query: str
    conversation: str
    portal: str
    qid: str = ""
    set: str = ""
    turn: int = 1
    answerability: Answerability = "answerable"
    gold: tuple[Gold, ...] = ()
    answer: str | None = None


class LabelledCollection(msgspec.Struct, frozen=True):
    """The documents of one file, and the conversations about them, each in order."""

    name: str
    documents: tuple[LabelledDocument, ...]
    conversations: tuple[tuple[LabelledTurn, ...], ...]


def read(folder: Path, every: int = 1) -> Iterator[LabelledCollection]:
    """Yield the collections in *folder* that are asked about, with one of *every* conversations.

    Raises:
        BadData: a file is missing, or a line of one cannot be read.
    """
    files = {side: _files(folder / side) for side in ("corpora", "turns")}
    for side, found in files.items():
        if not found:
            raise BadData(f"{folder / side}: holds no file that ends in {' or '.join(_ENDINGS)}")
    told: dict[str, dict[str, list[LabelledTurn]]] = {}
    for file in files["turns"]:
        for turn in _lines(file, LabelledTurn):
            named = turn if turn.set else msgspec.structs.replace(turn, set=_stem(file))
            told.setdefault(turn.portal, {}).setdefault(turn.conversation, []).append(named)
    asked: set[str] = set()
    for file in files["corpora"]:
        documents = tuple(_lines(file, LabelledDocument))
        portals = {document.portal or _stem(file) for document in documents} | {_stem(file)}
        asked |= portals
        chats = [
            told[portal][chat]
            for portal in sorted(portals & told.keys())
            for chat in sorted(told[portal])
        ]
        if chats:
            kept = tuple(tuple(sorted(chat, key=lambda turn: turn.turn)) for chat in chats[::every])
            yield LabelledCollection(_stem(file), documents, kept)
    if missing := sorted(told.keys() - asked):
        raise BadData(f"{folder}: turns name the portal '{missing[0]}', and no document does")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.name.endswith(_ENDINGS))


def _stem(file: Path) -> str:
    return file.name.partition(".jsonl")[0]


def _lines(file: Path, type_: type[_T]) -> Iterator[_T]:
    """Yield what the lines of *file* hold."""
    decoder = msgspec.json.Decoder(type_)
    try:
        with (gzip.open if file.suffix == ".gz" else open)(file, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    try:
                        yield decoder.decode(line)
                    except (msgspec.MsgspecError, RecursionError) as exc:
                        raise BadData(f"{file}, line {number}: {exc}") from exc
    except (OSError, EOFError, zlib.error) as exc:
        raise BadData(f"{file}: {exc}") from exc
