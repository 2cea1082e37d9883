"""What a word that is asked for is to a data store: how telling, known or not, called how else."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from service.language.synonyms import Phrase
from service.language.word_vectors import Neighbour

_CODE: Final = re.compile(r"(?=.*\d)(?=.*[a-z])(?!\d+[a-z]{1,5}$)[a-z0-9]{3,60}")

AS_GOOD: Final = 0.8
"""What a chunk has of a word of which it has only a synonym."""


class Statistics(Protocol):
    """What a store knows of terms."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages of the documents, the commonest first."""
        ...

    @property
    def spoken(self) -> Collection[str]:
        """The languages that any share of the documents worth naming is in, without regions."""
        ...

    def idf(self, variants: tuple[str, ...], /) -> float:
        """Return how telling a term is, from 0 where every chunk has it."""
        ...

    def knows(self, variants: tuple[str, ...], /) -> bool:
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        ...

    def correct(self, word: str, language: str, name: bool, /) -> str:
        """Return what a word means that the store does not know, "" where nothing is near."""
        ...

    def near(self, word: str, language: str, /) -> Sequence[Neighbour]:
        """Return the terms that mean about what *word* in another *language* does."""
        ...


class Synonym(NamedTuple):
    """What else a word may be called: all of *stems*, of which one counts *share* of the word."""

    stems: Phrase
    share: float
    likeness: float = AS_GOOD
    """How much of the word a chunk has that has the synonym."""
    of_phrase: bool = False
    """Whether the word alone is not called so, but the phrase that it is in: "hand in"."""


class Alien(enum.Enum):
    """What a query asks about that a store has nowhere, or but in passing."""

    NO = "no"
    NAME = "name"
    WORD = "word"
    """An ordinary word that seldom is beside the point."""
    UNREAD = "unread"
    """What stands in the place of a name, and resembles no ordinary word."""


class QueryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """One word asked for: *text* as it was written, folded, *variants* what it is searched as.

    *own* is how often the query itself has it, 0 where only its context does. *known* tells whether
    the store has it, *ordinary* whether everybody knows it who writes the language of the query.
    """

    text: str
    variants: tuple[str, ...]
    weight: float
    idf: float
    nearness: tuple[float, ...] = ()
    """What each of the variants weighs beside the word itself; () where that is 1."""
    written: str = ""
    """The word as it was written, where *text* corrects it."""
    own: float = 0.0
    known: bool = True
    ordinary: bool = False
    talk: bool = False
    """Whether it rather belongs to the asking than to what is asked about."""
    asks: bool = False
    """Whether it tells what kind of answer is wanted, as in "how *long* does it *last*"."""
    synonyms: tuple[Synonym, ...] = ()
    """What else it may be called, as far as the store has that."""
    alien: Alien = Alien.NO
    """Whether the query asks about it, and the store has it nowhere; or a name, hardly anywhere."""
    aside: bool = False
    """Whether it stands in a long message outside what asks."""
    beside: tuple[str, ...] = ()
    """Terms of the store that mean about what an alien one does, though it is called otherwise; of
    a name those of the names that it is asked with: "Alpha and Beta"."""

    @property
    def names_one(self) -> bool:
        """Whether the query has a code that names one thing: ``ZX77Q``, ``0x80070005``, ``h264``.

        A number with a unit or an ordinal (``15mins``, ``2nd``) names nothing.
        """
        return bool(self.own) and _CODE.fullmatch(self.text) is not None
