"""Tell which words of several languages mean about the same: "eliminar", "delete", "remove".

A small table of words with a vector each, distilled from a sentence encoder of sixteen languages
(``tests/training/train_word_vectors.py``; Google's universal-sentence-encoder-multilingual 3,
Apache-2.0) and moved to what they are in translations of programs (``NOTICE`` names them all).
Words of all languages lie in one space, so that a word of a query finds the words that a store has
for it, whatever language either is in:

    stored = word_vectors.StoredWords(terms_of_store.intersection, "en")
    for word in word_vectors.words_of(query):
        if not store_has(word):
            near = stored.nearest(word, "es")

It reads words, not sentences: an average of these vectors says too little of a text to rank or to
refuse by. Some 50,000 words are known, those of German, English, Spanish, French, Italian, Dutch,
Portuguese, Chinese, Japanese and Korean best; a word that means another thing in one language than
in English is there for each. It is read with the first call, which takes 60 ms and 20 MB.
"""

from __future__ import annotations

import bisect
import functools
import importlib.resources
import operator
import re
import struct
import unicodedata
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from service.language import function_words, index_terms, ordinary_words, tags, words

SCALE: Final = 180.0
"""What one is in the bytes of a vector: no part of those vectors is larger than 0.7."""
PROBED: Final = 12
"""Clusters that are searched for the words nearest to one: 98 of 100 of them lie there."""
_BESIDE: Final = 3
"""Clusters in which the translation of a word is looked for: it lies in its own, or beside it."""
_LEAST: Final = 0.5
"""The cosine from which two words mean about the same: below, most that is near is beside it."""
_COMPARED: Final = 600
"""Words of a store from which on no further cluster is searched: in a large one there are enough
near ones in the first."""
_SHORTEST_STEM: Final = 3
_SHORTEST_PART: Final = 4
_COMPOUNDING: Final = frozenset({"de", "nl"})
"""Languages of the table that write words made of words as one."""
_FORMS: Final = 300
"""Words of one beginning that are looked at as forms of another: 99 of 100 beginnings have less."""
_HEAD: Final = struct.Struct("<HHI")
_LONGEST_RUN: Final = 200
"""Characters of a spaceless script that are cut at once."""
_LONGEST_WORD: Final = 8
_KANA: Final = re.compile("[\u3040-\u30ff]")
_HANGUL: Final = re.compile("[\uac00-\ud7af]")
_ACCENTS: Final = re.compile("[\u0300-\u0307\u0309-\u036f]|(?<![aou])\u0308")
_UMLAUTS: Final = {"ae": "ä", "oe": "ö", "ue": "ü"}
_UMLAUT: Final = re.compile("|".join(_UMLAUTS))
_SPELLED_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_LEFT_OUT: Final = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_MARKED: Final = re.compile("[äöüß]")
_APOSTROPHE: Final = re.compile("['’]")
_SPACELESS: Final = re.compile(
    "[\u3041-\u309f]+|[\u30a1-\u30ff]+|[\uac00-\ud7af]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
"""Runs of one script: Japanese changes it where a word ends."""

_PARTICLES: Final = tuple(
    "있습니까 으로부터 에서는 으로는 에게서 까지는 하려면 합니까 입니까 됩니까 합니다 됩니다"
    " 하나요 되나요 인가요 있나요 없나요"
    " 에서 으로 에게 까지 부터 처럼 보다 마다 조차 이나 하는 하고 하여 해서 하기 되는"
    " 된다 한다 을 를 이 가 은 는 의 에 로 와 과 도 만 나 요".split()
)
"""Particles and endings of Korean that stick to a word, the longest first."""

Vector = Sequence[int]
"""Parts of a vector of length `SCALE`."""


class Neighbour(NamedTuple):
    """A term that a store has, and how near its word lies to the one asked about: to 1."""

    term: str
    cosine: float


class _Table(NamedTuple):
    words: tuple[str, ...]
    rows: Mapping[str, int]
    ordered: list[str]
    """Their names, in the order of the words without their languages."""
    vectors: array[int]
    dimensions: int
    starts: tuple[int, ...]
    beside: tuple[bytes, ...]

    def vector(self, row: int) -> Vector:
        return self.vectors[row * self.dimensions : (row + 1) * self.dimensions]


def fold(word: str) -> str:
    """Return *word* as the table has it: in lower case, without accents but the umlauts.

    An umlaut makes another word: "ändern" is to change, and "andern" others.
    """
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", word).lower())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parts))


def named(word: str, language: str) -> str:
    """Return the name in the table of a *word*, which is folded, of one *language* only."""
    return f"{word}@{language}"


def bare(name: str) -> str:
    """Return the word of a *name* in the table."""
    return name.partition("@")[0]


def is_of(text: str, language: str) -> bool:
    """Tell whether the table has a word, or some words together, as one of *language* only.

    So are "base de datos", and "Art", which means another thing in German than in English.
    """
    return named(fold(text), tags.base(language)) in _table().rows


def unmarked(word: str) -> Sequence[str]:
    """Return how a folded *word* with umlauts is written by whom has no key for them."""
    return word.translate(_SPELLED_OUT), word.translate(_LEFT_OUT)


def with_umlauts(word: str) -> str:
    """Return a folded German *word* with the umlauts that it may be spelled without: "aendern"."""
    return _UMLAUT.sub(lambda pair: _UMLAUTS[pair[0]], word)


def words_of(text: str) -> list[str]:
    """Return the words of *text* as written; what has no spaces is cut into words of the table.

    The longest first, from left to right; a character that begins none is a word by itself, or
    none where it only spells a sound. Korean words come without their particles.
    """
    if text.isascii():
        return words.words(text)
    cut = _SPACELESS.sub(lambda run: f" {' '.join(_cut(run[0][:_LONGEST_RUN]))} ", text)
    return [word for part in cut.split() for word in _unpaired(part)]


def without_particle(word: str) -> str:
    """Return a Korean *word* without the particle that sticks to it."""
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) > len(particle) + 1:
            return word.removesuffix(particle)
    return word


def parts(word: str, language: str) -> list[str]:
    """Return what *word* is made of: "l'outil" of "outil", "Dateiformate" of "Datei", "formate".

    Itself where it is known, or is not made of words that are.
    """
    # Of "d'identité" and "driver's" the part that tells: the longest.
    told = max(_APOSTROPHE.split(word), key=len)
    if tags.base(language) not in _COMPOUNDING or _row(told, language) is not None:
        return [told]
    for at in range(len(told) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        first, second = told[:at], told[at:]
        for one in (first, first.removesuffix("s")):
            if fold(one) in _table().rows and _row(second, language) is not None:
                return [one, second]
    return [told]


def vector(word: str, language: str = "") -> Vector | None:
    """Return what *word* means; None where it is not known.

    A form that the table lacks counts as another one of the same stem in *language*.
    """
    row = _row(word, language)
    return None if row is None else _table().vector(row)


def similarity(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of `vector`, -1 to 1."""
    return max(-1.0, min(1.0, sum(map(operator.mul, one, other)) / (SCALE * SCALE)))


@functools.lru_cache(maxsize=4_096)
def in_english(word: str, language: str) -> str:
    """Return the ordinary English word nearest to *word* of *language*, "" where none is near."""
    asked_row = _row(word, language)
    if asked_row is None:
        return ""
    table = _table()
    asked = table.vector(asked_row)
    best, found = _LEAST, ""
    for cluster in table.beside[bisect.bisect_right(table.starts, asked_row) - 1][:_BESIDE]:
        for row in range(*table.starts[cluster : cluster + 2]):
            name = table.words[row]
            if name.isascii() and ordinary_words.is_ordinary(name, "en"):
                near = similarity(asked, table.vector(row))
                if near > best:
                    best, found = near, name
    return found


class StoredWords:
    """The words of the table that a store has, by meaning. Any thread may ask.

    *having* returns those of some terms (as `index_terms` makes them) that the store has, whose
    documents are in *language*. It is asked once about the words of a cluster, with the first word
    of a query that lies there: 2,000 for the first word and fewer for each other one.
    """

    def __init__(self, having: Callable[[Collection[str]], Collection[str]], language: str) -> None:
        self._having = having
        self._language = language
        self._stored: dict[int, list[tuple[int, str]]] = {}

    def nearest(
        self, word: str, language: str = "", *, most: int = 3, least: float = _LEAST
    ) -> list[Neighbour]:
        """Return at most *most* terms of the store that mean about what *word* does, nearest first.

        *word* is in *language* ("" where that is not known). None is further than *least*; a
        function word is "", and so tells that *word* rather carries a sentence. Takes a
        millisecond, and two in a store that has most words; the first time as much again for what
        the store is asked. Keep what comes, and ask about words that the store lacks only.

        What fits, measured by questions in one language to pages in another: the terms at a
        weight of their cosine squared.
        """
        asked_row = _row(word, language)
        if asked_row is None:
            return []
        table = _table()
        asked = table.vector(asked_row)
        found: dict[str, float] = {}
        compared = 0
        for cluster in table.beside[bisect.bisect_right(table.starts, asked_row) - 1]:
            stored = self._in(cluster)
            for row, term in stored:
                near = similarity(asked, table.vector(row))
                if near >= least and near > found.get(term, 0.0):
                    found[term] = near
            compared += len(stored)
            if compared >= _COMPARED:
                break
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return [Neighbour(term, near) for term, near in ranked[:most]]

    def _in(self, cluster: int) -> list[tuple[int, str]]:
        """Return the rows of *cluster* whose terms the store has, with these."""
        stored = self._stored.get(cluster)
        if stored is None:
            empty, first = function_words.stems(self._language), _table().starts[cluster]
            terms = _terms(self._language, cluster)
            there = self._having([term for term in terms if term and term not in empty])
            stored = [
                (row, "" if term in empty else term)
                for row, term in enumerate(terms, first)
                if term and (term in empty or term in there)
            ]
            self._stored[cluster] = stored
        return stored


def pack(
    *, words: Sequence[str], vectors: bytes, starts: Sequence[int], beside: Sequence[Sequence[int]]
) -> bytes:
    """Return a table as it is stored; the rows are in the order of their clusters.

    *starts* are the first rows of the clusters, and the end; *beside* of each the nearest ones,
    itself first.
    """
    head = _HEAD.pack(len(vectors) // len(words), len(beside), len(words))
    clusters = struct.pack(f"<{len(starts)}I", *starts)
    near = b"".join(bytes(row) + bytes(row[:1]) * (PROBED - len(row)) for row in beside)
    return head + clusters + near + vectors + "\n".join(words).encode()


def unpack(stored: bytes) -> tuple[tuple[str, ...], array[int], tuple[int, ...], tuple[bytes, ...]]:
    """Return the words, vectors, starts of clusters and clusters beside each that `pack` stored."""
    dimensions, clusters, count = _HEAD.unpack_from(stored)
    at = _HEAD.size
    starts = struct.unpack_from(f"<{clusters + 1}I", stored, at)
    at += 4 * (clusters + 1)
    beside = [stored[at + PROBED * n : at + PROBED * (n + 1)] for n in range(clusters)]
    at += PROBED * clusters
    end = at + dimensions * count
    names = stored[end:].decode().split("\n")
    return tuple(names), array("b", stored[at:end]), starts, tuple(beside)


@functools.cache
def _table() -> _Table:
    file = importlib.resources.files("service.language").joinpath("word_vectors.bin")
    names, vectors, starts, beside = unpack(file.read_bytes())
    rows = {name: row for row, name in enumerate(names)}
    words = [bare(name) for name in names]
    for row, name in enumerate(names):
        rows.setdefault(words[row], row)
        # Most names have no umlaut, and to translate them would take as long as all the rest.
        if not name.isascii() and _MARKED.search(name):
            for spelled in unmarked(name):
                rows.setdefault(spelled, row)
                rows.setdefault(bare(spelled), row)
    ordered = sorted(names, key=lambda name: name.replace("@", "\0"))  # "art@de" before "art deco"
    return _Table(names, rows, ordered, vectors, len(vectors) // len(names), starts, beside)


def _row(word: str, language: str) -> int | None:
    """Return the row of *word*, or of another form of it in *language*."""
    told = max(_APOSTROPHE.split(word), key=len) if " " not in word else word
    rows, folded = _table().rows, fold(told)
    row = rows.get(named(folded, tags.base(language)))
    row = rows.get(folded) if row is None else row
    if row is not None or not language:
        return row
    row = _row_of_form(told, language)
    respelled = with_umlauts(folded)
    if row is None and tags.base(language) == "de" and respelled != folded:
        return _row_of_form(respelled, language)
    return row


@functools.lru_cache(maxsize=2_048)  # eight languages: documents name theirs as they like
def _terms(language: str, cluster: int) -> tuple[str, ...]:
    """Return the term in *language* of each row of *cluster*; "" where a word gives none."""
    table, own = _table(), tags.base(language)
    names = table.words[slice(*table.starts[cluster : cluster + 2])]
    told = [name.partition("@") for name in names]
    terms = _stemmed([word for word, _, _ in told], language)
    return tuple(
        term if of in ("", own) else "" for term, (_, _, of) in zip(terms, told, strict=True)
    )


def _stemmed(names: Sequence[str], language: str) -> list[str]:
    """Return the term of each word in *language*; "" where one gives none, or several."""
    # All at once, which is ten times faster; where that gives another count, one by one.
    terms = index_terms.of("\n".join(names), language)
    if len(terms) == len(names):
        return terms
    each = (index_terms.of(name, language) for name in names)
    return [found[0] if len(found) == 1 else "" for found in each]


def _row_of_form(word: str, language: str) -> int | None:
    """Return the row of the shortest word that has the stem of *word* in *language*."""
    stems = index_terms.of(word, language)
    if len(stems) != 1 or len(stems[0]) < _SHORTEST_STEM:
        return None
    table = _table()
    # Stems end otherwise than their words at most in a letter: "deny" is "deni".
    folded, stem = fold(word), stems[0]
    begins = folded[: len(stem) - (stem[-1] == "i" or not folded.startswith(stem))]
    first = bisect.bisect_left(table.ordered, begins, key=bare)
    last = bisect.bisect_left(table.ordered, begins + "\U0010ffff", first, key=bare)
    near = table.ordered[first : min(last, first + _FORMS)]
    own = [name for name in near if name.partition("@")[2] in ("", language)]
    terms = _stemmed([bare(name) for name in own], language)
    forms = [name for name, term in zip(own, terms, strict=True) if term == stems[0]]
    return table.rows[min(forms, key=len)] if forms else None


def _cut(run: str) -> list[str]:
    """Cut a *run* of characters into the longest words of the table."""
    if _HANGUL.match(run):
        return [_korean(run)]
    rows, cut, at = _table().rows, list[str](), 0
    while at < len(run):
        lengths = range(min(_LONGEST_WORD, len(run) - at), 1, -1)
        length = next((n for n in lengths if run[at : at + n] in rows), 1)
        if length > 1 or not _KANA.match(run, at):
            cut.append(run[at : at + length])
        at += length
    return cut


def _korean(word: str) -> str:
    """Return *word* as the table has it: without particle, or the longest beginning of it."""
    rows = _table().rows
    bare = without_particle(word)
    lengths = range(len(word), 1, -1)
    return next((word[:n] for n in lengths if word[:n] in rows), bare)


def _unpaired(part: str) -> list[str]:
    return [part] if _SPACELESS.fullmatch(part) else words.words(part)
