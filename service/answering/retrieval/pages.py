"""Pages of documents, as the several documents tell them: a number, a text or a span."""

from __future__ import annotations

import re
from typing import Final

from sessions.resources import retrieve_contexts

_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def identifier(page: int) -> str:
    """Return *page* as a ``pageIdentifier``, empty where there are no pages."""
    return str(page) if page else ""


def number(page_identifier: str) -> int:
    """Return the page that a ``pageIdentifier`` means, 0 where it is no number of a page."""
    return int(page_identifier) if _NUMBER.fullmatch(page_identifier) else 0


def span(page: int) -> retrieve_contexts.PageSpan | None:
    """Return the pages of a chunk that begins on *page*, None where there are no pages."""
    return retrieve_contexts.PageSpan(first_page=page, last_page=page) if page else None
