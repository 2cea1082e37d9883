"""Write terms so that the Query Engine takes them for nothing but words.

It reads texts and queries by rules of its own: marks cut words, capitals fold, ``-x`` excludes.
Here a word is a letter and what is left of ``a`` to ``z`` and ``0`` to ``9``, and anything else is
written in hexadecimal digits. So no text of a user is ever part of a query, and nothing has to be
escaped.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

_PLAIN: Final = re.compile(r"[a-z0-9]+")
_AS_IT_IS: Final = "t"
_IN_HEX: Final = "x"
_SIZE: Final = 10
"""Bytes of a tag: nobody can make two values of one tag."""


def token(term: str) -> str:
    """Return *term* as one word of the engine."""
    if _PLAIN.fullmatch(term):
        return _AS_IT_IS + term
    return _IN_HEX + term.encode("utf-8", "surrogatepass").hex()


def tokens(terms: str) -> str:
    """Return *terms*, set apart by spaces, as words of the engine."""
    return " ".join(map(token, terms.split()))


def terms(tokens: str) -> str:
    """Return what `tokens` was given."""
    if _IN_HEX not in tokens:  # as most of the time: no letter x at all
        return tokens[1:].replace(f" {_AS_IT_IS}", " ")
    return " ".join(map(_term, tokens.split()))


def tag(kind: str, *parts: str) -> str:
    """Return what stands for *parts*, whatever is written in them, among the tags of a *kind*."""
    told = "\0".join(map(_without_nul, (kind, *parts)))
    told_bytes = told.encode("utf-8", "surrogatepass")
    return kind + hashlib.blake2b(told_bytes, digest_size=_SIZE).hexdigest()


def _without_nul(part: str) -> str:
    return part.replace("\\", "\\\\").replace("\0", "\\0")


def _term(token: str) -> str:
    if token.startswith(_AS_IT_IS):
        return token[1:]
    return bytes.fromhex(token[1:]).decode("utf-8", "surrogatepass")
