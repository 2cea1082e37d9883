"""Read a text by the short form that it has in brackets behind a name: "Harbour Master (HM)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SHORT: Final = re.compile(r" \((?:([A-Z][\w-]{1,20}) )?((?=\w*[A-Z]\w*[A-Z\d])[\w-]{2,12})\)")
"""Capitals in brackets, alone or behind one word of the name: "(HM)", "(Acme HM)"."""
_READ: Final = 200
"""Characters before the brackets that may be the name."""
_SMALL: Final = frozenset("a an the of and for in to de la y et und e".split())
"""Words of a name that its short form leaves out."""


def variants(text: str) -> tuple[str, ...]:
    """Return *text* without its first short form, and with that alone instead of the name.

    There are none where no name before the brackets is that of what is in them: "Add it (CLI)".
    """
    found = _SHORT.search(text) if "(" in text else None
    if found is None:
        return ()
    before, behind = text[: found.start()], text[found.end() :]
    words = list(re.finditer(r"[\w-]+", before[-_READ:]))
    at = _beginning([one[0] for one in words], found[2], found[1] or "")
    if at is None:
        return ()
    opening = before[: max(len(before) - _READ, 0) + words[at].start()]
    told = (f"{found[1]} {found[2]}", found[2]) if found[1] else (found[2],)
    return (before + behind, *(opening + one + behind for one in told))


def _beginning(words: Sequence[str], short: str, shared: str) -> int | None:
    """Return which of *words* begins the name that ends with them, None where none does.

    It is *shared* where that stands in the brackets, too, or else the first of those whose initials
    are the *short* form: "S3" has three times the same.
    """
    if shared:
        return max((at for at, one in enumerate(words) if one == shared), default=None)
    letters = _TIMES.sub(lambda one: one[1] * int(one[2]), short)
    initials = [one for one in letters if one.isupper()]
    at = len(words)
    while initials and at:
        at -= 1
        if words[at][:1].upper() == initials[-1]:
            initials.pop()
        elif words[at].lower() not in _SMALL:
            return None
    return None if initials else at


_TIMES: Final = re.compile(r"([A-Z])(\d)")
