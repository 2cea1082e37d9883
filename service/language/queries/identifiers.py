"""Find the names in a query that are written with punctuation, and mean one thing as a whole.

Error codes and part numbers (``E-1042``, ``ORA-00942``, ``SQLITE_BUSY``), versions (``3.45.1``) and
flags (``--dry-run``): an index has them as several words, each of which stands in other names too.
Codes of letters and digits alone (``ZX77Q``) are words of the index already.
"""

from __future__ import annotations

import re
from typing import Final

_READ: Final = 600
_MOST: Final = 4
_NAME: Final = re.compile(
    r"(?<![\w.@/-])(?:"
    r"(?P<code>[A-Za-z]{1,12}-\d{3,12}[A-Za-z]?|[A-Za-z]{1,24}(?:_[A-Za-z0-9]{1,24}){1,6})"
    r"|(?P<version>\d{1,4}(?:\.\d{1,4}){2,4})"
    r"|(?P<flag>--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)"
    r")(?![\w@/-]|\.\w)"
)
_PARTED: Final = r"[-_ ]?"
"""How the documents may write what is between the parts of a code."""


def named_in(query: str) -> tuple[re.Pattern[str], ...]:
    """Return what finds each of the names in *query*: exactly that one, not one like it."""
    found: list[re.Pattern[str]] = []
    for match in _NAME.finditer(query[:_READ]):
        name = match[0]
        parts = re.split("[-_]", name) if match["code"] else [name]
        pattern = _PARTED.join(map(re.escape, parts))
        found.append(re.compile(rf"(?<![\w-]){pattern}(?![\w-]|\.\d)", re.IGNORECASE))
    return tuple(found[:_MOST])


def exactly(identifier: str) -> re.Pattern[str]:
    """Return a pattern that finds *identifier*, not another that it is a part of.

    A bare number must be told to be a code, or begin its block: numbers are everywhere.
    """
    flags = re.IGNORECASE if identifier.islower() or " " in identifier else 0
    alone = rf"(?<![\w-]){re.escape(identifier)}(?![\w-])"
    if not identifier.isdigit():
        return re.compile(alone, flags)
    return re.compile(
        rf"(?:^|[|\n])\W*(?:\w+:\W*)?{alone}|\b(?:{_CODE}|{_PROTOCOL})\W{{0,3}}(?:\w+\W+){{0,2}}?{alone}"
        rf"|{alone}\W+(?:\w+\W+)?{_CODE}",
        re.IGNORECASE,
    )


_PROTOCOL: Final = "https?|smtp|ftp|sip|exit|errno|sqlstate"
"""What stands before a code, and says that it is one: "HTTP 404"."""
_CODE: Final = (
    r"(?:errors?|codes?|status|responses?|reply|bounces?|blocks?"
    r"|fehler|erreurs?|c[oó]digos?|错误|代码)"
)
