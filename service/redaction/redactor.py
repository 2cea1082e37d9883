"""Put marks such as ``[email]`` in the place of personal data that somebody typed."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from service.redaction import email_addresses, ibans, payment_cards, phone_numbers, plain_text

_NUMBERS: Final = {
    "iban": ibans.spans,
    "card": payment_cards.spans,
    "phone": phone_numbers.spans,
}
"""The surest first: what one of them finds is nothing else."""
KINDS: Final = ("card", "email", "iban", "phone")
"""What can be masked."""
_PASSES: Final = 3
"""What is written without a space behind something is found when that has its mark."""
_AT: Final = re.compile(r"[@%＠﹫]")
_DIGITS: Final = re.compile(r"(?:\d\D*){6}\d")
"""No number that is looked for has fewer; most texts have fewer, and no ``@``."""


class Redactor:
    """Masks the kinds of personal data that an operator chose."""

    def __init__(self, mask: Collection[str] = ()) -> None:
        """*mask* is of `KINDS`."""
        self._mask = frozenset(mask)

    def __bool__(self) -> bool:
        """Tell whether anything is masked."""
        return bool(self._mask)

    def redacted(self, text: str) -> str:
        """Return *text* with marks; the same text always gives the same.

        Linear in the length of *text*.
        """
        if not self._mask:
            return text
        for _ in range(_PASSES):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def _once(self, text: str) -> str:
        has_at, has_digits = _AT.search(text) is not None, _DIGITS.search(text) is not None
        if not (has_at or has_digits):
            return text
        plain = plain_text.read(text)
        made, end = list[str](), 0
        for start, stop, kind in _found(plain.text, has_at=has_at, has_digits=has_digits):
            first, last = plain.span(start, stop)
            made += [text[end:first], f"[{kind}]" if kind in self._mask else text[first:last]]
            end = last
        return "".join([*made, text[end:]])


def _found(text: str, *, has_at: bool, has_digits: bool) -> list[tuple[int, int, str]]:
    """Return what is found in *text* in order, each place once.

    All kinds are looked for, whichever are masked: a piece of an IBAN is no telephone number.
    """
    taken = bytearray(len(text))
    found: list[tuple[int, int, str]] = []
    # Addresses first: the digits of one are no number.
    detectors = {"email": email_addresses.spans} if has_at else {}
    for kind, spans in {**detectors, **(_NUMBERS if has_digits else {})}.items():
        for start, stop in spans(text):
            if not any(taken[start:stop]):
                taken[start:stop] = b"\1" * (stop - start)
                found.append((start, stop, kind))
    return sorted(found)
