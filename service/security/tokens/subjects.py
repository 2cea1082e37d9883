"""Say who a token may be about: users by ids of the portal, visitors by ids of our own."""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final

LONGEST: Final = 128
"""Characters of a subject, as of every ``userPseudoId``."""
VISITOR: Final = "visitor-"
"""What the subject of each visitor begins with, and that of no user."""
KEY: Final = "key:"
"""What the id of each API key begins with, which is the ``userPseudoId`` of an integration."""
_RANDOM: Final = 16
"""Random bytes of a visitor's id, so that nobody can guess one."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that nobody sees or that look different everywhere."""


def new_visitor() -> str:
    """Return the subject of somebody whom nobody knows."""
    return VISITOR + secrets.token_urlsafe(_RANDOM)


def check_user(subject: object) -> str:
    """Return *subject* if it may be that of a user: what looks like another one is none.

    Raises:
        ValueError: it may not; the message says what is wrong, and not what it is.
    """
    if not isinstance(subject, str) or not subject:
        raise ValueError("give the id of a user, a text")
    if len(subject) > LONGEST:
        raise ValueError(f"give at most {LONGEST} characters")
    if subject != subject.strip() or any(unicodedata.category(c) in _UNSEEN for c in subject):
        raise ValueError("an id has no characters that cannot be seen, and no space around it")
    if unicodedata.normalize("NFC", subject) != subject:
        raise ValueError("write it in the composed form of Unicode (NFC)")
    if is_visitor(subject):
        raise ValueError(f"'{VISITOR}' begins the ids of visitors")
    if subject.startswith(KEY):
        raise ValueError(f"'{KEY}' begins the ids of programs")
    return subject


def is_visitor(subject: str) -> bool:
    """Whether *subject* is, or looks like, that of a visitor."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", subject).casefold())
    return folded.startswith(VISITOR)
