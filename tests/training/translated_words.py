"""Learn what words of other languages are in English from the translations of programs.

    pip download --no-deps -d FOLDER PACKAGES; pip install babel==2.18.0 jieba==0.42.1

Programs carry catalogues of what they say, message by message, in many languages: the words of
accounts, files, orders and settings, as people translated them. Which word of a message stands for
which is counted over all of them (IBM Model 1: each word of a message is explained by the words of
its translation, and what explains it oftenest explains it best).
"""

from __future__ import annotations

import collections
import importlib
import io
import itertools
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.language import (
    function_words,
    index_terms,
    lexicon,
    ordinary_words,
    word_vectors,
    words,
)

PACKAGES: Final = (
    "apache_superset",
    "django",
    "django_allauth",
    "django_cms",
    "django_oscar",
    "horizon",
    "indico",
    "jupyterlab_language_pack",
    "mezzanine",
    "pgadmin4",
    "wagtail",
)
"""The beginnings of the names of the wheels that are read: all of licences that permit it."""
LANGUAGES: Final = ("de", "es", "fr", "it", "ja", "ko", "nl", "pt", "zh")
ROUNDS: Final = 8
LEAST: Final = 0.2
"""A translation that stands for a word less often than this is chance."""
_OWN_SCRIPT: Final = frozenset({"ja", "ko", "zh"})
OWN_TIMES: Final = 6
"""How often a translation that we wrote counts as seen."""
_LONGEST: Final = 25
"""Words of a message that is read: longer ones align badly."""
_WORD: Final = 2
"""Characters of a Chinese message that is one word."""
_CATALOGUE: Final = re.compile(r"/([a-z]{2})(?:[_-](\w+))?/LC_MESSAGES/[^/]+\.(po|mo)$")
_TRADITIONAL: Final = frozenset({"TW", "Hant", "HK", "hant", "tw"})
_PLACEHOLDER: Final = re.compile(
    r"%\(\w+\)\w|%[sdr]|\{\{.*?\}\}|\{[^}]*\}|<[^>]*>|&\w+;|https?://\S+|\$\w+|\\\w"
)
_KANA: Final = re.compile("[\u3040-\u309f]+|[\u30fb\u3001\u3002]")
_JAPANESE: Final = re.compile("[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]{2,4}|[A-Za-z]{2,}")
_HANGUL: Final = re.compile("[\uac00-\ud7af]{2,}|[A-Za-z]{2,}")


class Translation(NamedTuple):
    """An English word that stands for another, and how often of all times."""

    english: str
    share: float


class Learnt(NamedTuple):
    """What a word is in English, what it mostly is first, and how often it was seen.

    *told* is how often it was told apart: a message of one word counts as one, of two as a half.
    """

    translations: Sequence[Translation]
    times: int
    told: float = 1.0


def learn(folder: Path) -> dict[str, Learnt]:
    """Return what words of other languages are in English, by `word_vectors.named`.

    It is learnt from the wheels in *folder*, and from what we wrote ourselves. A word that several
    languages write alike and mean alike is there once, as the one's where it was seen most.
    """
    messages = collections.defaultdict[str, set[tuple[str, str]]](set)
    for wheel in sorted(folder.glob("*.whl")):
        if wheel.name.lower().startswith(PACKAGES):
            for language, pair in _pairs(wheel):
                messages[language].add(pair)
    ours = own()
    by_word = collections.defaultdict[str, list[tuple[str, Learnt]]](list)
    for language in LANGUAGES:
        single = [pair for pair in ours[language] if " " not in pair[1]]
        pairs = [*sorted(messages[language]), *single * OWN_TIMES]
        found = aligned(pairs, language)
        for word, learnt in found.items():
            by_word[word].append((language, learnt))
        for english, phrase in ours[language]:
            if " " in phrase:
                folded = word_vectors.fold(phrase)
                by_word[folded].append((language, Learnt(_equal(english), OWN_TIMES)))
    return dict(_distinct(by_word))


def _equal(english: str) -> list[Translation]:
    words = english.split()
    return [Translation(word, 1 / len(words)) for word in words]


def _distinct(
    by_word: Mapping[str, Sequence[tuple[str, Learnt]]],
) -> Iterator[tuple[str, Learnt]]:
    """Yield each word once for each meaning; what English writes alike only if it is another."""
    for word, senses in by_word.items():
        told = {word} if ordinary_words.is_ordinary(word, "en") else set[str]()
        for language, learnt in sorted(senses, key=lambda one: -one[1].times):
            if (meant := learnt.translations[0].english) not in told:
                told.add(meant)
                yield word_vectors.named(word, language), learnt


def own() -> dict[str, list[tuple[str, str]]]:
    """Return the words that we translated by language: the English ones, and the other."""
    found: dict[str, list[tuple[str, str]]] = {language: [] for language in LANGUAGES}
    for language, pairs in found.items():
        for entry in lexicon.entries(language):
            english = " ".join(itertools.chain(*entry.english))
            spaced = language not in _OWN_SCRIPT
            text = " ".join(words.words(entry.text)) if spaced else entry.text
            pairs.append((english, text))
    return found


def aligned(messages: Iterable[tuple[str, str]], language: str) -> Mapping[str, Learnt]:
    """Return what stands for each word of *language* in *messages*: English, then translated."""
    np: Any = importlib.import_module("numpy")
    foreign, english = _Numbers(language), _Numbers("en")
    english.number("")
    rows, columns, shares, ends = list[int](), list[int](), list[float](), list[int]()
    seen = collections.Counter[int]()
    place = 0
    for original, translated in messages:
        there = [english.number(word) for word in _words(original, "en")]
        here = [foreign.number(word) for word in _words(translated, language)]
        if not there or not here or max(len(there), len(here)) > _LONGEST:
            continue
        seen.update(set(here))
        for word in here:
            # Longer messages tell less of each of their words.
            for other in (0, *there):
                rows.append(word)
                columns.append(other)
                ends.append(place)
            shares.append(1 / len(here))
            place += 1
    size = len(english)
    keys, inverse = np.unique(np.array(rows, dtype=np.int64) * size + columns, return_inverse=True)
    groups, weights = np.array(ends), np.array(shares)
    of_english = keys % size
    explains = np.ones(len(keys))
    counts = explains
    for _ in range(ROUNDS):
        each = explains[inverse]
        total = np.bincount(groups, weights=each)
        expected = each / total[groups] * weights[groups]
        counts = np.bincount(inverse, weights=expected, minlength=len(keys))
        explains = counts / np.bincount(of_english, weights=counts, minlength=size)[of_english]
    of_foreign = keys // size
    whole = np.bincount(of_foreign, weights=counts, minlength=len(foreign))
    found = collections.defaultdict[int, list[Translation]](list)
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        number, other = divmod(key, size)
        share = count / whole[number]
        if other and share >= LEAST:
            found[number].append(Translation(english.word(other), float(share)))
    return {
        foreign.word(number): Learnt(
            sorted(each, key=lambda one: -one.share), seen[number], float(whole[number])
        )
        for number, each in found.items()
    }


class _Numbers:
    """Words of a language by number; the forms of one have the same."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._numbers: dict[str, int] = {}
        self._stems: dict[str, str] = {}
        self._forms: list[collections.Counter[str]] = []

    def __len__(self) -> int:
        return len(self._forms)

    def number(self, word: str) -> int:
        """Return the number of *word*, a new one where it is new."""
        if (stem := self._stems.get(word)) is None:
            # Spelled out, as "ändern" and "andere" are no forms of each other.
            stems = index_terms.of(word_vectors.unmarked(word)[0], self._language)
            stem = self._stems[word] = stems[0] if len(stems) == 1 else word
        number = self._numbers.setdefault(stem, len(self._forms))
        if number == len(self._forms):
            self._forms.append(collections.Counter())
        self._forms[number][word] += 1
        return number

    def word(self, number: int) -> str:
        """Return the form of the word with this *number* that came most often."""
        return min(self._forms[number].items(), key=lambda one: (-one[1], one[0]))[0]


def _pairs(wheel: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the messages of *wheel* with their language: the English one, and what it became."""
    pofile: Any = importlib.import_module("babel.messages.pofile")
    mofile: Any = importlib.import_module("babel.messages.mofile")
    with zipfile.ZipFile(wheel) as archive:
        names = {name: found for name in archive.namelist() if (found := _CATALOGUE.search(name))}
        for name, found in sorted(names.items()):
            language, region, form = found.groups()
            if language not in LANGUAGES or region in _TRADITIONAL:
                continue
            if form == "mo" and f"{name[:-2]}po" in names:
                continue
            file = io.BytesIO(archive.read(name))
            read: Any = pofile.read_po if form == "po" else mofile.read_mo
            for message in read(file):
                pair = message.id, message.string
                if all(isinstance(text, str) and text for text in pair) and not message.fuzzy:
                    yield language, pair


def _words(text: str, language: str) -> list[str]:
    """Return the words of a message that tell something, as the table of vectors writes them."""
    bare = _PLACEHOLDER.sub(" ", text)
    match language:
        case "zh":
            jieba: Any = importlib.import_module("jieba")
            cut: Iterable[str] = [bare] if len(bare) <= _WORD else jieba.cut(bare)
        case "ja":
            cut = _JAPANESE.findall(_KANA.sub(" ", bare))
        case "ko":
            cut = [word_vectors.without_particle(one) for one in _HANGUL.findall(bare)]
        case _:
            cut = words.words(bare)
    empty = function_words.of(language)
    return [
        word_vectors.fold(word)
        for word in cut
        if word.isalpha()
        and word.lower() not in empty
        and len(word) > 1
        # A Latin word among others is a name.
        and not (word.isascii() and language in _OWN_SCRIPT)
    ]
