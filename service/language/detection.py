"""Tell the language of a text from its script and its function words.

A text says which language it is in, or it does not: half of the queries that people type ("reset
password") have no function word. Then the default decides, which a caller takes from the documents:
who asks a portal mostly writes as it does. To guess by letters instead (langid, fastText, lingua)
is wrong for one short query in eight, and costs a native library or seconds at the start.
"""

from __future__ import annotations

import collections
import functools
import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from service.language import function_words, lexicon, ordinary_words

_SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff\uf900-\ufaff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
)
"""In this order: Japanese is full of Chinese characters, Chinese has no kana."""
_SCRIPT_SHARE: Final = 0.2
"""A script with this share of the letters is the text's: names in it are often in another."""
_OWN_LETTERS: Final = (
    ("es", re.compile("[ñ¿¡]")),
    ("de", re.compile("ß")),
    ("pt", re.compile("[ãõ]")),
)
"""Letters that tell one of our languages from the others, as much as a word of its own does."""
_LETTERS: Final = re.compile(r"[^\W\d_]")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_SAMPLE: Final = 4_000
"""Characters that are looked at."""
_LEAST: Final = 0.5
"""What must speak for a language: a function word that it shares with one other."""
_LEAST_SHARE: Final = 0.05
"""The same, as a share of the words: text of a language that we do not know, and code, has some."""
_AHEAD: Final = 0.15
"""By how much more must speak for a language than for the next: less is an accident."""
_SHORT: Final = 200
"""Characters of what may be a query."""
_LEAST_OF_LEXICON: Final = 2
"""Words of a language that tell it, where more of them than are English ones."""
_TEXTS: Final = 5
_BEGINNING: Final = 300
"""Characters of each text of several, that tell what language they are in."""


def detect(text: str, default: str = "en") -> str:
    """Return the language (BCP 47) that *text* is in, *default* where it does not tell."""
    sample = text[:_SAMPLE]
    script = "" if sample.isascii() else _by_script(sample)
    return script or _by_words(sample) or _by_lexicon(sample) or default


def detect_in(query: str, texts: Iterable[str], default: str = "en") -> str:
    """Return the language of *query*, where it does not tell that of the *texts* it is put to."""
    told = detect(query, "")
    return told or detect(" ".join(text[:_BEGINNING] for text in islice(texts, _TEXTS)), default)


def _by_script(text: str) -> str:
    """Return the language that has the script of *text* for itself, or ""."""
    letters = len(_LETTERS.findall(text))
    for language, script in _SCRIPTS:
        if len(script.findall(text)) > _SCRIPT_SHARE * letters:
            return language
    return ""


def _by_words(text: str) -> str:
    """Return the language whose function words *text* has, or ""."""
    lower = text.lower()
    # Each word once: "com" stands in every address of a list, and is Portuguese for "with".
    words = set(_WORDS.findall(lower))
    evidence = dict.fromkeys(function_words.by_language(), 0.0)
    known = _languages_of()
    for word in words & known.keys():
        for language in known[word]:
            evidence[language] += 1 / len(known[word])
    for language, letters in _OWN_LETTERS:
        evidence[language] += letters.search(lower) is not None
    best, next_best, *_ = sorted(evidence, key=lambda language: -evidence[language])
    enough = max(_LEAST, _LEAST_SHARE * len(words))
    clear = evidence[best] - evidence[next_best] >= _AHEAD
    return best if clear and evidence[best] >= enough else ""


def _by_lexicon(text: str) -> str:
    """Return the language whose words a query is made of that has no function word to tell it.

    Of several that have as many the first: what two have alike means the same in both.
    """
    if len(text) > _SHORT:
        return ""
    words = set(_WORDS.findall(text.lower()))
    evidence = collections.Counter[str]()
    for word in words:
        evidence.update(lexicon.languages_of().get(word, ()))
        evidence.update(_languages_of().get(word, ()))
    english = sum(ordinary_words.is_ordinary(word, "en") for word in words)
    evidence["en"] = max(english, _LEAST_OF_LEXICON - 1)
    # English first, as names and terms of it are in all languages.
    return max(("", *sorted(evidence)), key=lambda one: (evidence[one or "en"], not one))


@functools.cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    """Return which languages have each function word: the fewer, the more it says for each."""
    having: dict[str, list[str]] = {}
    for language, words in function_words.by_language().items():
        for word in words:
            having.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in having.items()}
