"""Word who asks how many there may be as pages do that say so: they tell a maximum, or a limit."""

from __future__ import annotations

import re
from typing import Final

_READ: Final = 400
"""Characters of a query that are read."""
_ASKED: Final = {
    "maximum number limit quota": r"\bhow (?:many|much|big|large|long)\b.{1,200}?"
    r"\b(?:can|may|could|allowed|permitted)\b",
    "número máximo límite cuota": r"\bcu[aá]nt[oa]s?\b.{1,200}?\b(?:puedo|puede[ns]?|podemos)\b",
    "nombre maximal limite quota": r"\bcombien d(?:e |['’]).{1,200}?\b(?:puis|peux|peut|pouvons)\b",
    "maximale Anzahl Grenze Kontingent": r"\bwie (?:viele?|groß|lange?)\b.{1,200}?"
    r"\b(?:kann|darf|können|dürfen)\b",
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


def are_asked(query: str) -> bool:
    """Tell whether *query* asks for a limit, in the words of pages that tell one or in others."""
    return bool(asked_for(query) or _NAMED.search(query[:_READ]))


_NAMED: Final = re.compile(
    r"\b(?:max(?:imum|imal\w*)?|limits?|quotas?|m[aá]xim[oa]s?|l[ií]mites?|massim[oa]|limiti?)\b"
    r"|最大|最多|上限|配额",
    re.IGNORECASE,
)
