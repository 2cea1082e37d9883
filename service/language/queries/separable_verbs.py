"""Put verbs of German together that stand in two parts: "Wie schalte ich das Licht aus?".

The prefix stands at the end of its clause, or before the verb with a "zu" between, and turns what
the verb means: to look up "schalte" and "aus" finds neither.
"""

from __future__ import annotations

import re
from typing import Final

from service.language import tags, word_vectors
from service.language.queries import translations

_LANGUAGE: Final = "de"
_READ: Final = 400
_PREFIXES: Final = (
    "ab|an|auf|aus|bei|durch|ein|fest|frei|heraus|herunter|hinzu|hoch|los|mit|nach|neu|um|vor|weg"
    "|weiter|wieder|zu|zurück|zusammen"
)
_CLAUSE: Final = re.compile(
    rf"(?P<told>[^,;.:?!]*?) (?P<prefix>{_PREFIXES})(?=\s*(?:$|[,;.:?!]|und\b|oder\b))",
    re.IGNORECASE,
)
"""A clause whose last word may be the prefix of its verb."""
_VERB: Final = re.compile(r"\b[^\W\d_]+(?:e|t|en)\b")
_BEFORE: Final = re.compile(rf"\b(?P<prefix>{_PREFIXES}) ?(?:zu ?)?(?P<verb>\w{{2,}}en)\b", re.I)
"""A verb behind its prefix, in one word or two, with a "zu" between or without."""


def joined(query: str, language: str) -> str:
    """Return *query* with each verb in one word where that is known to be one."""
    if tags.base(language) != _LANGUAGE or len(query) > _READ:
        return query
    return _CLAUSE.sub(_with_prefix, _BEFORE.sub(_with_verb, query))


def _with_verb(found: re.Match[str]) -> str:
    whole = _known(found["prefix"], found["verb"])
    return found[0] if whole in ("", found[0].lower()) else whole


def _with_prefix(found: re.Match[str]) -> str:
    for verb in _VERB.finditer(found["told"]):
        if whole := _known(found["prefix"], verb[0]):
            return f"{found['told'][: verb.start()]}{whole}{found['told'][verb.end() :]}"
    return found[0]


def _known(prefix: str, verb: str) -> str:
    """Return the word that *prefix* and a form of *verb* make, "" where none is known."""
    verb = verb.lower()
    for form in (verb, f"{verb.removesuffix('t')}en", f"{verb.removesuffix('e')}en"):
        whole = f"{prefix.lower()}{form}"
        if translations.of(whole, _LANGUAGE) or word_vectors.is_of(whole, _LANGUAGE):
            return whole
    return ""
