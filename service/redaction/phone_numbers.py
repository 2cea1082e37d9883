"""Find telephone numbers, but no other numbers: those survive that people ask about.

A telephone number is one that begins with ``+`` (E.164), one in a form that little else has, or one
that the words before it call so. What they call an order, a version or an error is none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

_FEWEST, _MOST = 8, 15
"""Digits of a number with its country code (E.164, 6.2)."""
_SEPARATORS: Final = " \t./()-"
_BEFORE: Final = r"(?<![0-9A-Za-z_+(])(?<![0-9A-Za-z][./_#-])"
_AFTER: Final = r"(?![0-9A-Za-z]|[.,/:-][0-9])"
_INTERNATIONAL: Final = re.compile(
    r"(?<![0-9A-Za-z_+])(?:\+|(?<![0-9][./-])00)[1-9](?:[ \t./()-]{0,3}[0-9]){6,16}(?![0-9])"
)
_NATIONAL: Final = re.compile(
    _BEFORE + r"(?:"
    # North America: neither area nor exchange begins with 0 or 1.
    r"(?:1[ .-])?(?:\([2-9][0-9]{2}\)[ .-]?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"
    # With a trunk prefix, in groups: 030 1234567, 0171/1234567, 01 23 45 67 89.
    r"|(?:\(0[1-9][0-9]{0,4}\)[ \t]?|0[1-9][0-9]{0,4}(?:[ \t]?[/-][ \t]?|[ \t.]))"
    r"[0-9]{2,8}(?:[ \t.-][0-9]{2,8}){0,4}"
    # Mobile numbers of China.
    r"|1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}"
    r")" + _AFTER
)
_CALLED: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][./-])\(?[0-9](?:[ \t./()-]{0,2}[0-9]){6,14}" + _AFTER
)
_DATE: Final = re.compile(
    r"(?:[0-3]?[0-9][ ./-][0-3]?[0-9][ ./-](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}[./-]?[01][0-9]"
    r"[./-]?[0-3][0-9])(?![0-9])"
)
_THOUSANDS: Final = re.compile(r"\+[1-9][0-9]{0,2}([ .])[0-9]{3}(?:\1[0-9]{3})*")
_REACH: Final = 32
"""Characters before a number within which a word may say what it is."""
_PHONE_WORDS: Final = (
    r"(?:(?<![a-z])(?:tele)?phones?(?![a-z])|(?<![a-z])(?:tel|mobile|cell|cellular|fax|sms)(?![a-z])"
    r"|whats ?app|telefon|tel[eé]fono|t[eé]l[eé]phone|telefoon|handy|mobil|m[oó]vil|celular"
    r"|cellulare|portable|rufnummer|тел|電話|电话|手机|手機|携帯|전화|휴대폰|هاتف|جوال|फ़ोन|फोन|मोबाइल)"
)
_CALL_WORDS: Final = (
    r"(?<![a-z])(?:(?:call|ring|dial|calling|called)(?: me| us| back| him| her)?(?: at| on)?"
    r"|(?:my|whose|the) number(?: is)?)"
)
_PHONE: Final = re.compile(
    rf"{_PHONE_WORDS}[^0-9\n]{{0,24}}\Z|{_CALL_WORDS}[: (]*\Z", re.IGNORECASE
)
_ANY_PHONE: Final = re.compile(f"{_PHONE_WORDS}|{_CALL_WORDS}", re.IGNORECASE)
_OTHER_WORDS: Final = (
    r"(?:(?<![a-z])(?:orders?|invoices?|tickets?|cases?|ref|references?|errors?|codes?|serials?"
    r"|versions?|articles?|parts?|items?|sku|isbn|issn|gtin|ean|doi|models?|customers?|accounts?"
    r"|tracking|bookings?|ids?|ip|artículo|articulo|pedido|factura|commande|facture|ordine|fattura"
    r"|r[eé]f[eé]rence)(?![a-z])"
    r"|(?<![a-z])(?:bestell|artikel|rechnung|kunden|vorgang|aktenzeichen|seriennummer|teile)"
    r"|#|№|订单|注文|주문|заказ)"
)
_OTHER: Final = re.compile(_OTHER_WORDS + r"[^\n]{0,16}\Z", re.IGNORECASE)
_ANY_OTHER: Final = re.compile(_OTHER_WORDS, re.IGNORECASE)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where in *text* telephone numbers are; of two that overlap the first is right.

    Linear: each pattern has bounds, and words are looked for a few characters before a number.
    """
    words = _Words(text)
    for found in _INTERNATIONAL.finditer(text):
        has_plus = text[found.start()] == "+"
        if (end := _international_end(text, found)) and (has_plus or not words.deny(found)):
            yield found.start(), end
    for found in _NATIONAL.finditer(text):
        if _is_national(found[0]) and not words.deny(found):
            yield found.span()
    for found in _CALLED.finditer(text):
        if not _DATE.match(found[0]) and words.affirm(found):
            yield found.span()


class _Words:
    """What a text says before its numbers."""

    def __init__(self, text: str) -> None:
        self._text = text

    def affirm(self, number: re.Match[str]) -> bool:
        """Whether a *number* is called one of a telephone, and nothing else behind that."""
        cue = _PHONE.search(self._before(number)) if self._has_phone else None
        return cue is not None and not _OTHER.search(cue.string, cue.start())

    def deny(self, number: re.Match[str]) -> bool:
        """Whether a *number* is called something else."""
        is_other = self._has_other and _OTHER.search(self._before(number))
        return bool(is_other) and not self.affirm(number)

    def _before(self, number: re.Match[str]) -> str:
        return self._text[max(0, number.start() - _REACH) : number.start()]

    # Looked for once, or a list of numbers would have the words looked for at each.
    @functools.cached_property
    def _has_phone(self) -> bool:
        return bool(_ANY_PHONE.search(self._text))

    @functools.cached_property
    def _has_other(self) -> bool:
        return bool(_ANY_OTHER.search(self._text))


def _international_end(text: str, found: re.Match[str]) -> int:
    """Return where the number ends, 0 where it is none; digits of a further number go as groups."""
    start, end = found.span()
    prefix = 1 if found[0].startswith("+") else 2
    if prefix == 2 and found[0].isdigit():
        return 0  # 00… in one piece may number anything
    # North American numbers have one length.
    fewest, most = (11, 11) if text[start + prefix] == "1" else (_FEWEST, _MOST)
    while (count := _digits(text[start + prefix : end])) > most:
        end = start + len(text[start:end].rstrip("0123456789").rstrip(_SEPARATORS))
    is_amount = count < 10 and _THOUSANDS.fullmatch(text, start, end)
    return 0 if count < fewest or is_amount else end


def _is_national(number: str) -> bool:
    has_trunk_prefix = number.lstrip("(").startswith("0")
    return not _DATE.match(number) and (not has_trunk_prefix or 9 <= _digits(number) <= 12)


def _digits(text: str) -> int:
    return sum(char.isdigit() for char in text) - text.count("(0)")
