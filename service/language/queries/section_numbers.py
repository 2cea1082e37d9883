"""Read a heading without the number of its section: "2.2. Which systems are supported?"."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(
    r"\s*(?:(?:(?:chapter|section|appendix|part|kapitel|abschnitt|anhang|teil|chapitre|annexe"
    r"|partie|cap[ií]tulo|secci[oó]n|se[cç][aã]o|ap[eé]ndice|capitolo|appendice)\s+)"
    r"(?:\d{1,3}|[A-Z]|[IVX]{1,5})(?:\.\d{1,3})*[.:)]?"
    r"|\d{1,3}[.)]|\(\d{1,3}\)|\d{1,2}(?:\.\d{1,3})+[.)]?|[A-Z](?:\.\d{1,3})+[.)]?"
    r"|Q\d{0,3}[.:)])[\s:–—-]+(?:Q\d{1,3}[.:)]?[\s:–—-]+)?(?=\S)",
    re.IGNORECASE,
)


def without(heading: str) -> str:
    """Return *heading* without the number that it begins with; one that is all there is stays.

    A number without a mark behind it counts something: "3 ways to pay".
    """
    return _NUMBER.sub("", heading, count=1) if _NUMBER.match(heading) else heading
