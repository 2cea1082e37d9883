"""Tell which blocks stand or fall together: a list with its lead, the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from service.blocks import Block, BlockKind

_RUNS = frozenset((BlockKind.ITEM, BlockKind.ROW))


def number(blocks: Iterable[Block], text: str) -> Iterator[Block]:
    """Yield *blocks* of *text* with their wholes, from 1; what introduces a run is its lead."""
    whole, before = 0, None
    for block in blocks:
        if before is not None:
            runs_on = block.kind in _RUNS and before.kind in (block.kind, BlockKind.LEAD)
            is_lead = (
                before.kind is BlockKind.TEXT
                and block.kind in (*_RUNS, BlockKind.CODE)
                and text[before.start : before.end].endswith((":", "："))
            )
            if is_lead:
                before = msgspec.structs.replace(before, kind=BlockKind.LEAD)
            yield before
            if not (runs_on or is_lead):
                whole += 1
        else:
            whole += 1
        before = msgspec.structs.replace(block, whole=whole)
    if before is not None:
        yield before
