"""Word a query as the pages do that answer it: they tell a limit, a licence, or what helps."""

from __future__ import annotations

import re
from typing import Final

_READ: Final = 400
"""Characters of a query that are read."""
_LIMITS: Final = {
    "maximum number limit quota": r"\bhow (?:many|much|big|large|long)\b.{1,200}?"
    r"\b(?:can|may|could|allowed|permitted)\b",
    "número máximo límite cuota": r"\bcu[aá]nt[oa]s?\b.{1,200}?\b(?:puedo|puede[ns]?|podemos)\b",
    "nombre maximal limite quota": r"\bcombien d(?:e |['’]).{1,200}?\b(?:puis|peux|peut|pouvons)\b",
    "maximale Anzahl Grenze Kontingent": r"\bwie (?:viele?|groß|lange?)\b.{1,200}?"
    r"\b(?:kann|darf|können|dürfen)\b",
}
"""How is asked how much there may be, by the words of pages that answer it."""
_FREE: Final = {
    "free software license open source price plan": r"^\W*(?:is|are) "
    r"(?!(?:it|this|that|they|there|these)\b).{1,60}? "
    r"(?:free(?: of charge| to use)?|gratis|for free|open[ -]source)\W*$",
    "software libre licencia precio": r"\b(?:es|son) .{1,60}?\bgrat(?:is|uit[oa]s?)\W*$",
    "logiciel libre licence prix": r"\b(?:est|sont).{1,60}?\bgratuite?s?\W*$",
    "freie Software Lizenz Preis": r"^\W*(?:ist|sind) .{1,60}? (?:kostenlos|gratis|umsonst)\W*$",
}
"""How is asked whether a thing is free, by the words of pages that tell it."""
_TROUBLES: Final = {
    "troubleshooting problem error cannot": r"\b(?:i|we) (?:can['’]?t|cannot|can not|am unable)\b"
    r"|^\W*(?:my|our|the|it|this) (?:\w+ ){0,4}?(?:is|are|does|do|did|has|have)(?:n['’]?t| not)\b"
    r"|\b(?:fails|crash(?:es|ed)|hangs|hung|times out|timed out|unhealthy|not working"
    r"|is stuck|(?:is|are|got) broken|out of (?:disk|memory|storage|space))\b",
    "solución problemas error": r"\bno (?:puedo|funciona|arranca|se abre|llega|carga)\b|\bfalla\b",
    "dépannage problème erreur": r"\bne (?:fonctionne|marche|démarre|s['’]ouvre) p(?:as|lus)\b"
    r"|\bje (?:n['’]arrive|ne peux) pas\b|\béchoue\b",
    "Fehlerbehebung Problem Fehler": r"\bich kann .{1,60}\bnicht\b|\bschlägt .{0,40}?\bfehl\b"
    r"|\b(?:funktioniert|geht|startet|lädt) .{0,20}?\bnicht\b",
}
"""How is told that something fails, by the words of pages that help."""


def of(query: str) -> str:
    """Return *query* with the words of pages that answer it, "" where these are none such."""
    return next(filter(None, (_worded(query, one) for one in _ALL)), "")


def ask_limit(query: str) -> bool:
    """Tell whether *query* asks for a limit, in the words of pages that tell one or in others."""
    return bool(_worded(query, _LIMIT) or _NAMED.search(query[:_READ]))


def tell_trouble(query: str) -> bool:
    """Tell whether *query* says that something fails."""
    return bool(_worded(query, _TROUBLE))


_Wordings = tuple[tuple[str, re.Pattern[str]], ...]


def _worded(query: str, wordings: _Wordings) -> str:
    if len(query) > _READ:
        return ""
    return next((f"{query} {words}" for words, asked in wordings if asked.search(query)), "")


def _compiled(patterns: dict[str, str]) -> _Wordings:
    return tuple((words, re.compile(one, re.IGNORECASE)) for words, one in patterns.items())


_LIMIT: Final = _compiled(_LIMITS)
_NO_COST: Final = _compiled(_FREE)
_TROUBLE: Final = _compiled(_TROUBLES)
_ALL: Final = (_LIMIT, _NO_COST, _TROUBLE)
_NAMED: Final = re.compile(
    r"\b(?:max(?:imum|imal\w*)?|limits?|quotas?|m[aá]xim[oa]s?|l[ií]mites?|massim[oa]|limiti?)\b"
    r"|最大|最多|上限|配额",
    re.IGNORECASE,
)
