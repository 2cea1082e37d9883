"""Pages of documents, as the several documents tell them: a number, a text or a span."""

from __future__ import annotations

import re
from typing import Final

from sessions.resources import retrieve_contexts

_IDENTIFIER: Final = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def identifier(first: int, last: int = 0) -> str:
    """Return pages as a ``pageIdentifier``: ``7``, or ``7-8``; empty where there are no pages."""
    if not first:
        return ""
    return f"{first}-{last}" if last > first else str(first)


def beginning(page_identifier: str) -> str:
    """Return the ``pageIdentifier`` of the page on which that begins which has this one."""
    found = _IDENTIFIER.fullmatch(page_identifier)
    return found[1] if found else page_identifier


def numbers(page_identifier: str) -> tuple[int, int]:
    """Return the first and the last page that a ``pageIdentifier`` means, 0 where it means none."""
    found = _IDENTIFIER.fullmatch(page_identifier)
    if found is None:
        return 0, 0
    first = int(found[1])
    return first, max(first, int(found[2] or 0))


def span(first: int, last: int) -> retrieve_contexts.PageSpan | None:
    """Return the pages *first* to *last*, None where there are no pages."""
    if not first:
        return None
    return retrieve_contexts.PageSpan(first_page=first, last_page=max(first, last))
