"""Tell whether a query only names what everything searched is about: "What is Acme?".

Such a name tells no page from another, and what answers is the page that introduces the rest.
"""

from __future__ import annotations

import re
from typing import Final

from service.language import content_terms
from service.query_readings import QueryReading

_EVERYWHERE: Final = 0.55
"""The weight of a name that stands in most of what is searched; one in a tenth of it has 0.6."""
_NO_WORD: Final = 6.0
"""From this weight on a term stands in hardly any text of its language: it is a name."""
_COMMON_NOUN: Final = re.compile(r"\b(?:an?|una?|une?|eine?|um) (?=[a-z])")

_ADDRESS: Final = re.compile(r"\b\w+\.[a-z]{2,}\b", re.IGNORECASE)
"""A name that is an address is one, whatever words it is made of: "Tickets.example"."""


def names_only_subject(query: str, reading: QueryReading) -> bool:
    """Tell whether *query*, which has this *reading*, carries nothing but a name found everywhere.

    What "a" stands before is no name, unless it is written like one: "a proxy", "an Acme".
    """
    carried = [word for word in reading.words if content_terms.of_words((word.text,), "en")]
    return (
        bool(carried)
        and not _COMMON_NOUN.search(query)
        and all(word.known and word.weight <= _EVERYWHERE for word in carried)
        and (
            any(content_terms.weight(one) >= _NO_WORD for one in carried[0].readings)
            or _ADDRESS.search(query) is not None
        )
    )
