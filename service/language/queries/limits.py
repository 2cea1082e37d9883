"""Word who asks how many there may be as pages do that say so: they tell a maximum, or a limit."""

from __future__ import annotations

import re
from typing import Final

_READ: Final = 400
"""Characters of a query that are read."""
_ASKED: Final = {
    "maximum number limit": r"\bhow many\b.{1,200}?\b(?:can|may|could)\b",
    "número máximo límite": r"\bcu[aá]nt[oa]s\b.{1,200}?\b(?:puedo|puede[ns]?|podemos)\b",
    "nombre maximal limite": r"\bcombien d(?:e |['’]).{1,200}?\b(?:puis|peux|peut|pouvons)\b",
    "maximale Anzahl Grenze": r"\bwie viele\b.{1,200}?\b(?:kann|darf|können|dürfen)\b",
}
"""How it is asked, by the words of pages that answer it."""
_LIMITS: Final = tuple(
    (words, re.compile(pattern, re.IGNORECASE)) for words, pattern in _ASKED.items()
)


def asked_for(query: str) -> str:
    """Return *query* with the words of pages that tell a limit, "" where it asks for none."""
    if len(query) > _READ:
        return ""
    return next((f"{query} {words}" for words, asked in _LIMITS if asked.search(query)), "")
