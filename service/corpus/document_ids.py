"""Give documents ids that stay the same from one import to the next."""

from __future__ import annotations

import hashlib
import re
from typing import Final

_VALID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9._-]+)*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._]+")
_KEPT: Final = 100


def from_path(path: str) -> str:
    """Return the document id for a relative *path* with ``/``: readable, valid and its own.

    ``a/b.md`` becomes ``a--b.md``; what cannot be written so, or is too long, ends in a hash.
    """
    plain = path.replace("/", "--")
    if len(plain) <= _KEPT and _PLAIN_PATH.fullmatch(path) and "--" not in path:
        return plain
    return _hashed(path)


def from_given(given: str) -> str:
    """Return *given* if it may name a document, else a valid id that stands for it."""
    return given if _VALID.fullmatch(given) else _hashed(given)


def _hashed(text: str) -> str:
    readable = _OTHER.sub("-", text).strip("-._")[:_KEPT].rstrip("-._")
    mark = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return f"{readable}-{mark}" if readable else mark
