"""Score how well given texts support a claim, without a model.

What is said word for word is supported; anything else is scored by `claim_scores`. From 0.5 on
more claims are supported than not, as people judged claims of several sources.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from service.answering.proof.claim_support import SourceText, Window
from service.answering.proof.claims import ReadClaim
from service.language import detection

_REPEATED: Final = 256
"""Claims whose scores are remembered, since a text may repeat itself."""
_LIKELY: Final = 5
"""Texts, those that have most of a claim anywhere, in which a place is looked for that has it."""
_CLOSEST: Final = 3
"""Of these the texts that are held against it, those that have most of it in one place. Others do
not support it unless they say it word for word: without these bounds 200 facts of a request cost
a second, and who names ten sources of a sentence names none."""


class SourceTexts:
    """Texts to hold claims against; each is read when it is first needed, and only once."""

    def __init__(self, texts: Sequence[str], language: str = "") -> None:
        self._language = language or detection.detect_in("", texts)
        self._texts = texts
        self._scores = functools.lru_cache(maxsize=_REPEATED)(self._all_scores)

    def scores(self, claim: str, only: Collection[int] | None = None) -> list[float]:
        """Return how well each text by itself supports *claim*; 0 where *only* leaves it out.

        Where texts say it word for word, only they count: 1 for each, 0 for all others.
        """
        return list(self._scores(claim, None if only is None else frozenset(only)))

    def _all_scores(self, claim: str, only: frozenset[int] | None) -> tuple[float, ...]:
        read = ReadClaim(claim, self._language)
        texts = {
            number: _read(text, self._language)
            for number, text in enumerate(self._texts)
            if only is None or number in only
        }
        found = [float(n in texts and texts[n].quotes(read)) for n in range(len(self._texts))]
        if any(found):
            return tuple(found)
        share = {number: text.share(read) for number, text in texts.items()}
        likely = sorted(share, key=lambda number: -share[number])[:_LIKELY]
        near = dict[int, Window]()
        for number in likely:
            # No place of a text has more of it than all of the text.
            if len(near) < _CLOSEST or share[number] > _least(near):
                near[number] = texts[number].near(read)
        closest = sorted(near, key=lambda number: -near[number].covered)[:_CLOSEST]
        for rank, number in enumerate(closest):
            if near[number].covered:
                found[number] = texts[number].support(read, near[number], closely=not rank)
        return tuple(found)


def _least(near: Mapping[int, Window]) -> float:
    """Return how much of a claim the last of those has that are held against it."""
    return sorted((one.covered for one in near.values()), reverse=True)[_CLOSEST - 1]


@functools.lru_cache(maxsize=512)
def _read(text: str, language: str) -> SourceText:
    """Return *text* as claims are held against it; what is needed often stays read."""
    return SourceText(text, language)
