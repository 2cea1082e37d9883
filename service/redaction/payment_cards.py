"""Find numbers of payment cards: 14 to 19 digits of a known issuer that pass the Luhn check.

Of 13 digits are the numbers on goods (EAN), and no cards that are still issued.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ISSUED: Final = re.compile(
    r"4(?:\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|095|[689]\d)\d{11}|36\d{12,17}"  # Diners Club
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12,15}"  # Discover
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"  # JCB
    r"|(?:62|81)\d{14,17}"  # UnionPay
    r"|220[0-4]\d{12,15}"  # Mir
    r"|(?:60|82)\d{14}|508[5-9]\d{12}"  # RuPay
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{12,15}"  # Maestro
)
_RUN: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][.-])[2-68][0-9]{2,18}(?:(?: - |[ \t.-])[0-9]{1,7}){0,6}"
)
_GROUP: Final = re.compile(r"[0-9]+")
_BOUNDARY: Final = re.compile(r"(?![0-9A-Za-z]|[.-][0-9])")
_DOUBLED: Final = dict(zip("0123456789", (0, 2, 4, 6, 8, 1, 3, 5, 7, 9), strict=True))


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where in *text* card numbers are; their groups have three digits or more.

    Linear: each group of digits begins one look at the few that follow it.
    """
    at = 0
    while run := _RUN.search(text, at):
        groups = [(each.start(), each.end()) for each in _GROUP.finditer(text, *run.span())]
        end = _end(text, groups)
        if end:
            yield run.start(), end
        at = end or groups[0][1]


def _end(text: str, groups: list[tuple[int, int]]) -> int:
    """Return where the card number that begins with the *groups* ends, 0 where there is none."""
    digits, found = "", 0
    for start, end in groups:
        digits += text[start:end]
        if len(digits) > 19:
            break
        if len(digits) > 13 and _BOUNDARY.match(text, end) and _is_card(digits):
            found = end
        if end - start < 3:
            break  # only the last group is that short
    return found


def _is_card(digits: str) -> bool:
    if not _ISSUED.fullmatch(digits):
        return False
    total = sum(map(int, digits[-1::-2])) + sum(_DOUBLED[digit] for digit in digits[-2::-2])
    return total % 10 == 0
