"""Join the labels of notes with what they label: "Note" in a line of its own says nothing.

Pages set the label of a note, a tip or a warning above its text, or in a cell beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.blocks import BlockKind
from service.corpus.parsing.loose_blocks import LooseBlock

WORDS: Final = (
    r"notes?|n\.?b\.?|important|warning|caution|attention|tips?|hints?|danger|reminder|"
    r"please note|heads up|"
    r"hinweis|achtung|warnung|wichtig|tipp|"
    r"remarque|avertissement|conseil|astuce|à noter|"
    r"notas?|importante|advertencia|aviso|consejo|atención|"
    r"attenzione|avviso|suggerimento|atenção|dica|"
    r"注意|提示|警告|重要提示|注"
)
"""What a note calls itself."""
_LABEL: Final = re.compile(rf"\W{{0,3}}(?:{WORDS})\s?[!:：.]?", re.I)
_LENGTH: Final = 40
_PROSE: Final = frozenset({BlockKind.TEXT, BlockKind.NOTE})


def joined(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* with each such label before the paragraph after it, in one block."""
    return list(_joined(loose))


def _joined(loose: Sequence[LooseBlock]) -> Iterator[LooseBlock]:
    label: LooseBlock | None = None
    for one in loose:
        if label is not None:
            if _is_labelled(one, label):
                yield _with_label(label, one)
                label = None
                continue
            yield label
        label = one if _is_label(one) else None
        if label is None:
            yield one
    if label is not None:
        yield label


def is_label(text: str) -> bool:
    """Tell whether *text* is but what a note calls itself."""
    return len(text) <= _LENGTH and _LABEL.fullmatch(text) is not None


def _is_label(one: LooseBlock) -> bool:
    return one.kind in _PROSE and is_label(one.text)


def _is_labelled(one: LooseBlock, label: LooseBlock) -> bool:
    same = (one.whole, one.level) == (label.whole, label.level)
    return one.kind in _PROSE and same and not _is_label(one)


def _with_label(label: LooseBlock, one: LooseBlock) -> LooseBlock:
    said = label.text if label.text.endswith((":", "：", "!")) else f"{label.text.rstrip('.')}:"
    before = f"{said} "
    return msgspec.structs.replace(
        one,
        kind=BlockKind.NOTE,
        text=before + one.text,
        bold=0,
        linked=False,
        page=label.page,
        figures=(*label.figures, *one.figures),
        turns=tuple((at + len(before), page) for at, page in one.turns),
    )
