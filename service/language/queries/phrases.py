"""Say what of a query may be suggested to others, and in which form queries count as the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 128
"""Characters of a phrase: as many as the public API completes."""
_MOST_WORDS: Final = 16
_SHORTEST: Final = 2
_NUMBER: Final = re.compile(r"\d(?:[\s\-./()]{0,2}\d){5,}")
"""Six digits and more, however they are set: numbers of phones, accounts and people, dates of
birth."""
_ADDRESS: Final = re.compile(
    r"@|[\[(]\s*at\s*[\])]|://|\bwww\.|\b[a-z]{2}\d{2}(?:\s?[a-z0-9]{4}){2,}", re.IGNORECASE
)
"""What stands in addresses of people and pages, and how account numbers begin (ISO 13616)."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_EDGES: Final = " \t\"'«»„“”‘’`´.,;:!?¿¡…。、，；：！？·-–—()[]{}<>"


def of_query(text: str) -> str:
    """Return the phrase that *text* asks, "" where it may be suggested to nobody.

    Two queries that differ in case, white space or the marks around them are one phrase. Nothing
    is a phrase that is too long, says nothing, or looks like personal data.
    """
    if len(text) > 4 * LONGEST or any(unicodedata.category(c) in _UNSEEN - {"Cc"} for c in text):
        return ""
    phrase = " ".join(unicodedata.normalize("NFKC", text).lower().split()).strip(_EDGES)
    if not _SHORTEST <= len(phrase) <= LONGEST or len(phrase.split(" ")) > _MOST_WORDS:
        return ""
    if any(unicodedata.category(c) in _UNSEEN for c in phrase):
        return ""
    if _NUMBER.search(phrase) or _ADDRESS.search(phrase) or not any(map(str.isalpha, phrase)):
        return ""
    return phrase


def folded(text: str) -> str:
    """Return *text* as it is compared: without case, and without marks on letters.

    Marks are those of Latin, Greek and Cyrillic letters; those of other scripts are letters too.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return " ".join(folded.split())
    bare = (c for c in unicodedata.normalize("NFKD", folded) if not "\u0300" <= c <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", "".join(bare)).split())
