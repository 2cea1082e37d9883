"""Say of each key of an installation how a backup has it, without I/O.

What is made from other keys is left out and made anew by a restore, so that it fits what there is
then: lists, the feed of changes, leases. What ends by itself within minutes, such as counts of
limits and uploads on their way, is left out for good, and so is what only waits to be deleted. A
key that is not known here is kept as it is.
"""

from __future__ import annotations

import enum
import re
from typing import Final


class Fate(enum.Enum):
    """How a backup has a key."""

    PLAIN = "read by itself"
    OWNER = "a session or conversation, read in one step with all that belongs to it"
    OF_OWNER = "read with its session or conversation"
    REQUEST = "the answer of an idempotency key; read before the answers"
    DOCUMENTS = "the ids of a data store, by which its documents are read"
    OF_DOCUMENTS = "read with the documents"
    LAST = "read after all others but the sessions"
    DERIVED = "made anew by a restore"
    PASSING = "left out"


_FATES: Final = tuple(
    (re.compile(pattern, re.DOTALL), fate)
    for pattern, fate in (
        (rb"\{[^}]+\}:mark$", Fate.PASSING),
        (rb"\{p\d+\}:s:", Fate.OWNER),
        (rb"\{p\d+\}:[tnqal]:", Fate.OF_OWNER),
        (rb"\{p\d+\}:i:", Fate.REQUEST),
        (rb"\{p\d+\}:leases$", Fate.DERIVED),
        (rb"\{p\d+\}:(?:[fwx]:|trash$)", Fate.PASSING),
        (rb"\{x[0-9a-f]+\}:", Fate.DERIVED),
        (rb"\{r[0-9a-f]+\}:n:", Fate.DERIVED),
        (rb"\{d\d+\}:ids:", Fate.DOCUMENTS),
        (rb"\{d\d+\}:(?:documents|passages|digests|figures|images):", Fate.OF_DOCUMENTS),
        (rb"\{d\d+\}:(?:feed|number|stores|[a-z]+-sizes):", Fate.DERIVED),
        (rb"\{d\d+\}:(?:[a-z]+-[0-9a-f]{16}|vectors-[0-9a-f]+-lease):", Fate.PASSING),
        (
            rb"\{d\d+\}:(?:chunk|whole|entries|terms|totals|numbers|garbage|indexing)-[0-9a-f]{12}:",
            Fate.PASSING,  # a search index that replicas share, built anew from the documents
        ),
        (rb"\{d\d+\}:(?:models|vector|vectored)-[0-9a-f]{12}(?:-[0-9a-f]{16})?:", Fate.PASSING),
        (rb"\{d\d+\}:sharing:$", Fate.PASSING),
        (rb"\{l\d+\}:", Fate.PASSING),
        (rb"\{uploads\}:", Fate.PASSING),
        (rb"\{keys\}:state$", Fate.DERIVED),
        (rb"\{visitors\}:due$", Fate.LAST),
        (rb"(?:install|parents)$", Fate.DERIVED),
        (rb"purge:", Fate.PASSING),
    )
)
_VECTORS: Final = re.compile(rb"\{d\d+\}:vectors-[0-9a-f]{16}:")


def fate(key: bytes) -> Fate:
    """Return how a backup has *key*, which comes without the prefix of the installation."""
    if _VECTORS.match(key):  # named as the copies of logs are, which end in ten minutes
        return Fate.PLAIN
    return next((fate for pattern, fate in _FATES if pattern.match(key)), Fate.PLAIN)
