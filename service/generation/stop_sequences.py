"""End a text where its caller wants it to end: at a stop sequence, or after so many tokens.

A machine without I/O. What it has let through is final: it holds back what may turn out to be the
beginning of a stop sequence, or of a token that goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.generation import token_counts
from sessions.resources.candidates import FinishReason

_STOP: Final = FinishReason.STOP


class TextEnd:
    """Lets the pieces of one text through until it ends; `reason` says why it did."""

    def __init__(self, stops: Sequence[str] = (), most: int | None = None) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._most = most
        self._told = list[str]()
        """What was let through: looked at no more, however long it is."""
        self._rest = ""
        """What was not; a stop sequence or a token that goes on begins in here."""
        self._cut: int = 0
        """How far the rest was cut into tokens; from its start on that is one token so far."""
        self.reason: FinishReason | None = None

    @property
    def text(self) -> str:
        """What was let through."""
        return "".join(self._told)

    def feed(self, piece: str) -> str:
        """Return what of the text so far, *piece* included, may be told now."""
        if self.reason is not None:
            return ""
        self._rest += piece
        end = self._stopped(len(piece))
        if end is None:
            end = len(self._rest) - self._held()
        return self._tell(end, last=False)

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        if self.reason is not None:
            return ""
        told = self._tell(len(self._rest), last=True)
        self.reason = self.reason or _STOP
        return told

    def _stopped(self, new: int) -> int | None:
        """Return where the first stop sequence begins, if it has come."""
        places = list[int]()
        for stop in self._stops:
            since = max(0, len(self._rest) - new - len(stop) + 1)
            if (at := self._rest.find(stop, since)) >= 0:
                places.append(at)
        if not places:
            return None
        self.reason = _STOP
        return min(places)

    def _held(self) -> int:
        """Return how many last characters may begin a stop sequence."""
        longest = 0
        for stop in self._stops:
            for size in range(min(len(stop) - 1, len(self._rest)), longest, -1):
                if self._rest.endswith(stop[:size]):
                    longest = size
                    break
        return longest

    def _tell(self, end: int, *, last: bool) -> str:
        """Let the rest through up to *end*, but no token more than wanted."""
        if self._most is not None:
            # Whether a token goes on shows in its last character, however long it is.
            since = max(0, self._cut - 1)
            cuts = [since + at for at in token_counts.ends(self._rest[since:end])]
            self._cut = end
            if len(cuts) > self._most:
                end = cuts[self._most - 1] if self._most else 0
                self.reason = FinishReason.MAX_TOKENS
            elif not last and self.reason is None and cuts:
                # The last token may go on with the next piece.
                end = cuts[-2] if len(cuts) > 1 else 0
            self._most -= sum(at <= end for at in cuts)
        told, self._rest = self._rest[:end], self._rest[end:]
        self._cut -= min(end, self._cut)
        if told:
            self._told.append(told)
        return told
