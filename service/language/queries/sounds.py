"""Spell a word otherwise that is written as it is heard: "vacashun" is "vacation"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ALIKE: Final = (
    ("shun", "tion"), ("shun", "sion"), ("shun", "cian"), ("chun", "tion"), ("sion", "tion"),
    ("tion", "sion"), ("cion", "tion"), ("shul", "cial"), ("shul", "tial"), ("shus", "cious"),
    ("chur", "ture"), ("cher", "ture"), ("zhur", "sure"), ("f", "ph"), ("k", "c"), ("k", "ck"),
    ("k", "ch"), ("c", "k"), ("s", "c"), ("c", "s"), ("s", "sc"), ("z", "s"), ("ks", "x"),
    ("x", "cs"), ("x", "cc"), ("kw", "qu"), ("it", "ight"), ("ite", "ight"), ("at", "eight"),
    ("ait", "eight"), ("aut", "ought"), ("uf", "ough"), ("oo", "u"), ("u", "oo"), ("ue", "ew"),
    ("ew", "ue"), ("ee", "ea"), ("ea", "ee"), ("ee", "ie"), ("ei", "ie"), ("ie", "ei"),
    ("er", "ure"), ("er", "or"), ("or", "er"), ("ur", "er"), ("ar", "er"), ("er", "ar"),
    ("el", "le"), ("ul", "le"), ("al", "le"), ("le", "al"), ("ance", "ence"), ("ence", "ance"),
    ("anc", "enc"), ("ants", "ence"), ("ant", "ent"), ("ent", "ant"), ("able", "ible"),
    ("ible", "able"), ("ey", "y"), ("ie", "y"), ("sh", "ch"), ("sh", "ti"), ("ch", "tch"),
    ("tch", "ch"), ("j", "g"), ("j", "dge"), ("ge", "dge"), ("ow", "ou"), ("ou", "ow"),
    ("o", "ou"), ("au", "o"), ("o", "au"), ("aw", "au"), ("ai", "ay"), ("ay", "ai"), ("ai", "ei"),
    ("ubb", "oub"), ("m", "mb"),
)  # fmt: skip
"""What is written by ear, and how it is spelled: by hand, from lists of common misspellings."""
_AT_FIRST: Final = (("f", "ph"), ("n", "kn"), ("r", "wr"), ("r", "rh"), ("s", "ps"))
"""The same at the beginning, where nothing else is taken for another: "zelle" is a name."""
_SILENT: Final = (
    (re.compile(r"oa([dklmnt])(?=s?$)"), r"o\1e"),
    (re.compile(r"ai([dklmnt])(?=s?$)"), r"a\1e"),
    (re.compile(r"a([dklmnt])e(?=s?$)"), r"ai\1"),
    (re.compile(r"o([dklmnt])e(?=s?$)"), r"oa\1"),
    (re.compile(r"ee([dklmnt])(?=s?$)"), r"e\1e"),
)
"""A long vowel that an "e" behind the consonant makes, or a second vowel before it."""


def respelled(word: str) -> Iterator[str]:
    """Yield how *word*, in lower case, may be spelled: with one sound of it written otherwise."""
    for heard, spelled in _AT_FIRST:
        if word.startswith(heard):
            yield spelled + word[len(heard) :]
    for heard, spelled in _ALIKE:
        at = word.find(heard, 1)
        while at >= 0:
            yield word[:at] + spelled + word[at + len(heard) :]
            at = word.find(heard, at + 1)
    for heard, spelled in _SILENT:
        other = heard.sub(spelled, word)
        if other != word:
            yield other
