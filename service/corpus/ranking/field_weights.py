"""What a term weighs where it stands in a chunk or a document."""

from __future__ import annotations

from typing import Final

IN_CHUNKS: Final = {"title": 0.3, "headings": 0.4, "body": 1.0}
"""What a term weighs in each field of a chunk."""
IN_DOCUMENTS: Final = {"title": 0.3, "body": 1.0}
"""What a term weighs in each field of a whole document."""
ASKED: Final = 6.0
"""What it adds to the score of a chunk that one of its headings asks the very question."""
WHOLE: Final = 1.0
"""What the score of the whole document adds to that of its chunk."""
CHUNKS_READ: Final = 200
"""Chunks that a search ranks; what lies below is never seen."""
DOCUMENTS_READ: Final = 100
"""Whole documents that a search ranks."""


def of(term: str, share: float) -> float:
    """Return what *term* weighs in a field in which others weigh *share*.

    What is called by a number often has it in its title alone: "Notice 2869".
    """
    return 1.0 if any(letter.isdecimal() for letter in term) else share
