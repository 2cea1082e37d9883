"""What the replies to labelled turns are worth, by the measures that others publish."""

from __future__ import annotations

import collections
import re
import statistics
import string
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from service.evaluation import intervals
from service.evaluation.intervals import ConfidenceInterval
from service.evaluation.labelled_data import LabelledTurn
from service.evaluation.rest_client import QueryReply

_ANSWERABLE: Final = frozenset({"answerable", "partial"})
_FIRST: Final = 5
"""Documents among which the right ones are looked for."""
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b")
_MARKS: Final = str.maketrans(dict.fromkeys(string.punctuation + "“”‘’–—…", " "))


class ScoredTurn(msgspec.Struct, frozen=True):
    """A turn and the reply; *found* are the documents that this refers to, in its order."""

    turn: LabelledTurn
    reply: QueryReply
    found: tuple[str, ...]

    @property
    def recall(self) -> float | None:
        """Share of the right documents among the first five, None without right ones."""
        right = {gold.doc_id for gold in self.turn.gold}
        return len(right & set(self.found[:_FIRST])) / len(right) if right else None

    @property
    def overlap(self) -> float | None:
        """Token F1 with the answer of a person, None without one; 0 where it was declined."""
        if not self.turn.answer or self.turn.answerability not in _ANSWERABLE:
            return None
        return 0.0 if self.reply.refused else token_f1(self.reply.text, self.turn.answer)

    @property
    def declined(self) -> float | None:
        """1 where a turn that can be answered was not, None where it cannot be."""
        return float(self.reply.refused) if self.turn.answerability in _ANSWERABLE else None

    @property
    def rightly_declined(self) -> float | None:
        """1 where a turn without an answer got none, None for others."""
        return float(self.reply.refused) if self.turn.answerability == "unanswerable" else None


class Figure(msgspec.Struct, frozen=True):
    """A row of the table."""

    set: str
    name: str
    interval: ConfidenceInterval
    count: int


_MEASURES: Final[dict[str, Callable[[ScoredTurn], float | None]]] = {
    "R@5": lambda one: one.recall,
    "R@5, follow-ups": lambda one: one.recall if one.turn.turn > 1 else None,
    "F1": lambda one: one.overlap,
    "wrongly declined": lambda one: one.declined,
    "rightly declined": lambda one: one.rightly_declined,
}


def figures(asked: Sequence[ScoredTurn]) -> list[Figure]:
    """Return the figures of each set of turns, with intervals over its conversations."""
    by_set: dict[str, dict[str, list[ScoredTurn]]] = {}
    for one in asked:
        chats = by_set.setdefault(one.turn.set, {})
        chats.setdefault(one.turn.conversation, []).append(one)
    found: list[Figure] = []
    for name, chats in by_set.items():
        for measure, of in _MEASURES.items():
            groups = [
                [value for one in chat if (value := of(one)) is not None] for chat in chats.values()
            ]
            if (interval := intervals.of_mean(groups)) is not None:
                found.append(Figure(name, measure, interval, sum(map(len, groups))))
    return found


def seconds(asked: Sequence[ScoredTurn]) -> tuple[float, float]:
    """Return the median and the 95th percentile of the time of a reply."""
    told = sorted(one.reply.seconds for one in asked) or [0.0]
    return statistics.median(told), told[min(len(told) - 1, int(0.95 * len(told)))]


def worst(asked: Sequence[ScoredTurn], most: int) -> list[tuple[ScoredTurn, str]]:
    """Return the *most* worst replies and what is wrong with each: what hurts most comes first."""
    found: list[tuple[int, ScoredTurn, str]] = []
    for one in asked:
        if one.reply.error:
            found.append((0, one, one.reply.error))
        elif one.rightly_declined == 0:
            found.append((1, one, "answered, and no document tells"))
        elif one.declined:
            where = "although the right document was found" if one.recall else "not found"
            found.append((2, one, f"declined, {where}: {', '.join(one.reply.reasons)}"))
        elif one.recall == 0:
            found.append((3, one, "answered without the right document"))
    found.sort(key=lambda each: each[0])
    # Of each kind some, or the first kind would hide the others.
    kinds = collections.defaultdict[int, list[tuple[ScoredTurn, str]]](list)
    for kind, one, why in found:
        kinds[kind].append((one, why))
    share = max(1, most // max(1, len(kinds)))
    return [pair for pairs in kinds.values() for pair in pairs[:share]][:most]


def token_f1(text: str, reference: str) -> float:
    """Return the F1 of the words of *text* and *reference*, as SQuAD counts it."""
    said, wanted = _tokens(text), _tokens(reference)
    common = sum((collections.Counter(said) & collections.Counter(wanted)).values())
    return 2 * common / (len(said) + len(wanted)) if common else 0.0


def _tokens(text: str) -> list[str]:
    return _ARTICLE.sub(" ", text.lower().translate(_MARKS)).split()
