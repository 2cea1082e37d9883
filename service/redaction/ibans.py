"""Find IBANs: ISO 13616 with the length of each country and the check digits of ISO 7064."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LENGTHS: Final = {
    country: int(length)
    for length, countries in (
        pair.split(":")
        for pair in (
            "15:NO 16:BE 18:DK,FI,FO,FK,GL,NL,SD 19:MK,SI 20:AT,BA,EE,KZ,LT,LU,MN,XK"
            " 21:CH,CR,HR,LI,LV 22:BG,BH,DE,GB,GE,IE,ME,RS,VA 23:AE,GI,IL,IQ,OM,SO,TL"
            " 24:AD,CZ,ES,MD,PK,RO,SA,SE,SK,TN,VG 25:LY,PT,ST 26:IS,TR 27:BI,DJ,FR,GR,IT,MC,MR,SM"
            " 28:AL,AZ,BY,CY,DO,GT,HN,HU,LB,NI,PL,SV 29:BR,EG,PS,QA,UA 30:JO,KW,MU,YE"
            " 31:MT,SC 32:LC 33:RU"
        ).split()
    )
    for country in countries.split(",")
}
"""Characters of an IBAN, by the register of SWIFT."""
_HEAD: Final = re.compile(r"(?<![0-9A-Za-z])([A-Za-z]{2})([0-9]{2})(?=[ .-]?[0-9A-Za-z])")
_TAILS: Final = {
    length: re.compile(rf"(?:[ .-]?[0-9A-Za-z]){{{length - 4}}}(?![0-9A-Za-z])")
    for length in set(_LENGTHS.values())
}
_SEPARATORS: Final = str.maketrans("", "", " .-")


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where in *text* IBANs are, alone or in groups."""
    for head in _HEAD.finditer(text):
        length = _LENGTHS.get(head[1].upper())
        tail = _TAILS[length].match(text, head.end()) if length else None
        if tail and _checks(tail[0].translate(_SEPARATORS) + head[0]):
            yield head.start(), tail.end()


def _checks(rearranged: str) -> bool:
    """Whether what has its first four characters at its end leaves 1, modulo 97."""
    return int("".join(str(int(char, 36)) for char in rearranged)) % 97 == 1
