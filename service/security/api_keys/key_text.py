"""How an API key is written: ``colloquy_<scope>_<id>_<secret><checksum>``.

The prefix and the checksum are for the scanners that look for secrets in source code, which find a
key without asking this service, and tell it from a text that only looks like one. The secret has
256 bits, so that a plain SHA-256 of the key is all that has to be kept: nobody can try them out,
and a slow hash would slow down none but us (OWASP ASVS 5, 11.4.2 is about passwords).
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib
from typing import Final

PREFIX: Final = "colloquy_"
"""What every key begins with, and no token does."""
_DIGITS: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID_DIGITS: Final = string.digits + string.ascii_lowercase
_ID_LENGTH: Final = 10  # 51 bits: no two by chance, and short enough to be read out
_SECRET_LENGTH: Final = 43  # of 62 digits: 256 bits
_CHECK_LENGTH: Final = 6  # of 62 digits: any CRC-32
_KEY: Final = re.compile(
    rf"{PREFIX}([a-z])_([0-9a-z]{{{_ID_LENGTH}}})_([0-9A-Za-z]{{{_SECRET_LENGTH + _CHECK_LENGTH}}})"
)
_ID: Final = re.compile(rf"[0-9a-z]{{{_ID_LENGTH}}}")


def new_id() -> str:
    """Return the id of a new key."""
    return "".join(secrets.choice(_ID_DIGITS) for _ in range(_ID_LENGTH))


def new(scope: str, key_id: str) -> str:
    """Return a new key of *key_id*; *scope* is the letter of its scope."""
    secret = "".join(secrets.choice(_DIGITS) for _ in range(_SECRET_LENGTH))
    head = f"{PREFIX}{scope}_{key_id}_{secret}"
    return head + _checksum(head)


def digest(text: str) -> bytes:
    """Return what is kept of the key *text*, which may hold anything that a header can."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def is_whole(text: str) -> bool:
    """Whether *text* is as it was made; false where it was mistyped or cut off."""
    match = _KEY.fullmatch(text)
    return match is not None and _checksum(text[:-_CHECK_LENGTH]) == text[-_CHECK_LENGTH:]


def id_in(text: str) -> str:
    """Return the id that *text* is or, where it is a key, has in it; "" where there is none."""
    if match := _KEY.fullmatch(text):
        return match[2]
    return text if _ID.fullmatch(text) else ""


def _checksum(head: str) -> str:
    rest, digits = zlib.crc32(head.encode()), ""
    for _ in range(_CHECK_LENGTH):
        rest, digit = divmod(rest, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
