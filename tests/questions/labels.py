"""The labelled questions: how they are written down, and how they are read."""

from __future__ import annotations

import enum
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Final

import msgspec

LABELLED: Final = Path(__file__).parent / "labelled"
"""A file for each portal, named as its folder is."""
PORTALS: Final = tuple(sorted(path.stem for path in LABELLED.glob("*.toml")))
GAP: Final = " … "
"""Between the beginning and the end of a quoted block."""


class Kind(enum.Enum):
    """What is asked for, as far as it decides what a good answer looks like."""

    HOW_TO = "how-to"
    DEFINITION = "definition"
    YES_NO = "yes-no"
    NUMBER = "number"
    DATE = "date"
    PRICE = "price"
    PLACE = "place"
    WHO = "who"
    LIST = "list"
    COMPARISON = "comparison"
    ERROR = "error"
    WHY = "why"
    TALK = "talk"
    """It asks the documents nothing: small talk, a cry for help or for a person."""
    FOREIGN = "foreign"
    """The documents do not hold what it asks for."""


class Trait(enum.Enum):
    """What makes a question harder than its kind."""

    MISSPELT = "misspelt"
    COLLOQUIAL = "colloquial"
    ANGRY = "angry"
    ALARMED = "alarmed"
    STATEMENT = "statement"
    TWO_PARTS = "two parts"
    FOLLOW_UP = "follow-up"
    IDENTIFIER = "identifier"
    TONGUE = "other tongue"
    """It is asked in another language than English."""
    NEAR_MISS = "near miss"
    """The portal is about such things, but its documents do not tell."""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question and what becomes of it in a good service.

    Texts to be said are regular expressions, searched for in the `plain` text of the answer.
    Documents are named by the end of their path, without what follows its last dot.
    """

    id: str
    kind: Kind
    ask: str
    traits: tuple[Trait, ...] = ()
    chat: str = ""
    """The conversation that it is part of, after the questions before it; "" for none."""
    documents: tuple[str, ...] = ()
    """Documents of which the answer cites one."""
    also: tuple[str, ...] = ()
    """Documents of which it cites one besides, where it has two parts."""
    says: tuple[str, ...] = ()
    """What the answer says, all of it."""
    items: tuple[str, ...] = ()
    """What it says, all of it in this order: the items of a list, the steps of a procedure."""
    never: tuple[str, ...] = ()
    """What it must not say."""
    block: str = ""
    """What of one of the documents answers it, or its beginning … and its end."""
    language: str = "en"
    """The language of a good answer."""
    longest: int = 0
    """Characters that the answer may have; 0 for those of its kind."""
    refuse: bool = False
    """A good service says that its documents do not tell."""
    reply: str = ""
    """What kind of talk it is, where a reply of the service's own is wanted: "human", "help"."""

    def __post_init__(self) -> None:
        answers = bool(self.says or self.items)
        if self.refuse + bool(self.reply) + bool(self.documents) != 1:
            raise ValueError("give either documents, or reply, or refuse")
        if self.documents and not (answers and self.block):
            raise ValueError("give the block that answers, and what the answer says, or its items")
        for pattern in (*self.says, *self.items, *self.never):
            re.compile(pattern)


class _Portal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: tuple[Question, ...]


def read(portal: str) -> tuple[Question, ...]:
    """Return the questions of *portal* in their order.

    Raises:
        ValueError: the file cannot be read; the message names the question.
    """
    labelled = tomllib.loads((LABELLED / f"{portal}.toml").read_text("utf-8"))
    try:
        return msgspec.convert(labelled, _Portal).question
    except msgspec.ValidationError as exc:
        at = re.search(r"question\[(\d+)\]", str(exc))
        named = labelled["question"][int(at[1])].get("id", at[1]) if at else ""
        raise ValueError(f"{portal}.toml, question {named}: {exc}") from exc


_EMPHASIS: Final = re.compile(r"[*`]+")
_QUOTES: Final = str.maketrans("“”„‘’‚‑–—\u00a0", "\"\"\"'''--- ")


def plain(text: str) -> str:
    """Return *text* in small letters, without emphasis, with one kind of quotes, dashes, spaces."""
    bare = _EMPHASIS.sub("", unicodedata.normalize("NFKC", text).translate(_QUOTES))
    return " ".join(bare.casefold().split())


def is_named(document: str, names: tuple[str, ...]) -> bool:
    """Tell whether one of *names* names the *document* of this id or resource name."""
    stem = document.rpartition("/")[2].rpartition(".")[0] or document
    return any(stem == name or stem.endswith((f"--{name}", f"/{name}")) for name in names)
