"""Read what people write in a hurry as the words that they mean: "wat r u" is "what are you".

Most of them are function words, which nothing is found by; but what kind of question it is shows in
them. ``chat_spellings.txt`` holds them, a line per language, its code first; kept by hand. Nothing
is in it that is a word of its language or a usual abbreviation of portals.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from typing import Final

from service.language import ordinary_words, tags

_WORD: Final = re.compile(r"(?<![\w.@/_-])[a-zA-Z]+(?:['’][a-z]+)?(?![\w@/_-]|\.\w)")
_ARE: Final = re.compile(
    r"(?<=\b)((?:what|where|when|why|how|who|which|you|they|we|there|these|those) )r(?= )",
    re.IGNORECASE,
)
"""Alone, "r" may be a name; after these words it is none."""

_DRAWN: Final = re.compile(
    r"(?<![\w.@/_-])(?!([a-z])\1*\b)[a-z]*([a-hj-vyz])\2{2}[a-z]*(?![\w@/_-]|\.\w)", re.IGNORECASE
)
"""A word with a letter that is drawn out, "sooo"; "VIII", "XXXL" and "www2" are no such words."""
_RUN: Final = re.compile(r"([a-z])\1{2,}", re.IGNORECASE)
_CRY: Final = re.compile(r"[^aeiou]+|[aeou]+r*g*h+|[aeou]+[fwy]+", re.IGNORECASE)
"""A drawn word that says nothing: "grrr", "aaargh"."""
_OF_A_DOSE: Final = r"(?<!\ba )(?<!\bi )(?<!\bto )(?<!\bthe )(?<!\bper )(?<!\bone )(?<!\bmy )"
_PERSON: Final = "the|it|this|that|these|my|your|our|his|her|he|she|they|anyone|everyone|one"
_ASKED: Final = r"(?:^|(?<=\bwhat )|(?<=\bhow )|(?<=\bwhen )|(?<=\bwhere )|(?<=\bwhy )|(?<=\bwho ))"
_MEDICAL: Final = "of|is|was|should|do|does|can|will|for|in|would|i|to"
_HEARD: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), meant)
    for pattern, meant in (
        (rf"{_OF_A_DOSE}\bdose(?= (?:{_PERSON})\b)", "does"),
        (rf"{_ASKED}dose(?! (?:{_MEDICAL})\b)(?= \w)", "does"),
        (r"(?:^|(?<=\bfrom )|(?<=\bin )|(?<=\bwith )|(?<=\bfor ))witch(?= (?!is\b)\w)", "which"),
        (r"^w(?:ere|ear)(?= (?:can|do|does|did|is|are|should|shall|will|to|would)\b)", "where"),
        (r"\btheir(?= (?:is|are|was|were|a|an|any|no)\b)", "there"),
        (r"\bloose(?= (?:my|your|our|the|all|access|it|data)\b)", "lose"),
    )
)
"""Words of the language that are taken for another one that sounds alike, by what is around."""


def written_out(text: str, language: str) -> str:
    """Return *text*, which is in *language*, with such spellings written out."""
    known = _spellings().get(tags.base(language))
    if not known:
        return text

    def read(match: re.Match[str]) -> str:
        word = match[0]
        if word.isupper() and len(word) > 1:
            return word  # an abbreviation of the portal's own: the PW form
        meant = known.get(word.lower().replace("’", "'"), "")
        return meant.capitalize() if meant and word[0].isupper() else meant or word

    short = _DRAWN.sub(lambda drawn: _short(drawn[0], language), text)
    told = _WORD.sub(read, text if short == text else short.strip())
    return _heard(_ARE.sub(r"\1are", told)) if tags.base(language) == "en" else told


def _short(drawn: str, language: str) -> str:
    """Return the word that is *drawn* out, "" for a mere cry, and what is neither as it is.

    It may be the name of something: "zrkrrrq", "XTTT".
    """
    for letters in (r"\1", r"\1\1"):
        meant = _RUN.sub(letters, drawn)
        if ordinary_words.is_ordinary(meant.lower(), language):
            return meant
    is_name = drawn.isupper() or len(set(drawn.lower())) > _LETTERS
    is_cry = not is_name and _CRY.fullmatch(drawn)
    return "" if is_cry else drawn


_LETTERS: Final = 4
"""Different letters that a cry has at most."""


def _heard(text: str) -> str:
    """Return English *text* with the words that it asks with spelled as they are meant."""
    for pattern, meant in _HEARD:
        text = pattern.sub(meant, text)
    return text


@functools.cache
def _spellings() -> dict[str, dict[str, str]]:
    file = importlib.resources.files("service.language.queries").joinpath("chat_spellings.txt")
    lines = (line.split() for line in file.read_text("utf-8").splitlines())
    return {language: dict(pair.split("=", 1) for pair in pairs) for language, *pairs in lines}
