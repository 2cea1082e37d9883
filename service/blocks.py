"""The blocks of a text: its headings, paragraphs, list items, rows, and what belongs together.

Reading a document finds them, chunks carry them, and answers are made of them.
"""

from __future__ import annotations

import enum

import msgspec


class BlockKind(enum.Enum):
    """What a block is. A reader of stored blocks knows all of these."""

    HEADING = "heading"
    TEXT = "text"
    LEAD = "lead"
    """A paragraph that introduces the list, table or code after it."""
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    TERM = "term"
    DEFINITION = "definition"
    QUESTION = "question"
    NOTE = "note"


class Block(msgspec.Struct, frozen=True, array_like=True):
    """The characters ``start:end`` of a text, which are of one kind.

    *level* is that of a heading, 1 the outermost, or how deep an item is nested, from 0. *page* is
    1-based, 0 where the format has no pages. Blocks with the same *whole*, a number unique in the
    document, stand or fall together: a list with its lead, a table's rows, a term with its
    definition, the parts of a paragraph that lies in two chunks.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int = 0
    whole: int = 0
