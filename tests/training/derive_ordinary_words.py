"""Derive ``service/language/english_words.txt`` from the frequency dictionary of SymSpell.

    pip download symspellpy==6.9.0 --no-deps && unzip symspellpy-6.9.0-py3-none-any.whl
    python -m tests.training.derive_ordinary_words symspellpy/frequency_dictionary_en_82_765.txt

The dictionary (MIT) counts words in Google Books (CC BY 3.0), those that are in SCOWL too. Of the
`WORDS` commonest we keep those of five letters and more, and of the `SHORT` commonest those of
three and four, as the others are abbreviations. The same dictionary always gives the same file.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from service.language import ordinary_words

OUT: Final = Path(ordinary_words.__file__).with_name("english_words.txt")
WORDS: Final = 32_000
"""With more come names and slips of the pen that books have often enough."""
SHORT: Final = 5_000
_WIDTH: Final = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dictionary", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    lines = arguments.dictionary.read_text("utf-8-sig").splitlines()
    arguments.out.write_text(laid_out(derived(lines)), "utf-8")


def derived(lines: Iterable[str]) -> list[str]:
    """Return the words that are kept of *lines*, each a word and its count, by the alphabet."""
    counts = {word: int(count) for word, count in map(str.split, lines)}
    commonest = sorted(counts, key=lambda word: -counts[word])[:WORDS]
    longer = {word for word in commonest if len(word) > 4}
    return sorted(longer.union(word for word in commonest[:SHORT] if len(word) > 2))


def laid_out(words: Iterable[str]) -> str:
    """Return *words* as the file has them."""
    return textwrap.fill(" ".join(words), _WIDTH, break_on_hyphens=False) + "\n"


if __name__ == "__main__":
    main()
