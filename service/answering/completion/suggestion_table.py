"""Find, among what may be suggested, what goes on from what was typed."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.completion import near_words
from service.language.queries import phrases

LONGEST: Final = phrases.LONGEST
"""Characters of what is typed that is completed; nothing goes on from more."""
_SPACELESS: Final = "\u2e80"
"""From here on scripts write words without spaces between them."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """What may be suggested.

    *worth* is 0 for what only a document says, else about how many people asked it. *alternatives*
    are found as *text* is. Of those of one *group* the best alone is shown.
    """

    text: str
    worth: float = 0.0
    data_stores: tuple[str, ...] = ()
    document: str = ""
    uri: str = ""
    is_title: bool = False
    language: str = ""
    group: str = ""
    alternatives: tuple[str, ...] = ()


class Match(NamedTuple):
    """A suggestion that goes on from what was typed: *rank* 0 where it begins with it.

    1 is with it at a later word, 2 with all of its words, 3 and more with as many slips less 2.
    """

    rank: int
    suggestion: Suggestion


class SuggestionTable:
    """Suggestions of one origin, ready to be looked through. Any thread may do that."""

    def __init__(self, suggestions: Iterable[Suggestion]) -> None:
        self._suggestions = list(suggestions)
        forms: list[tuple[str, int]] = []
        for place, each in enumerate(self._suggestions):
            texts = dict.fromkeys(map(phrases.folded, (each.text, *each.alternatives)))
            forms += ((text, place) for text in texts if text)
        self._forms = forms
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for at, (text, _) in enumerate(forms):
            for word in dict.fromkeys(_words(text)):
                postings[word].append(at)
        self._words = sorted(postings)
        self._postings: Mapping[str, list[int]] = postings
        self._sees: Callable[[str], bool] | None = None

    def within(self, sees: Callable[[str], bool] | None) -> SuggestionTable:
        """Return the same table without suggestions of documents that nobody *sees*.

        What is left is what a table of the other documents has: each suggestion is of one.
        """
        if sees is None:
            return self
        made: SuggestionTable = copy.copy(self)
        made._sees = sees
        return made

    def __len__(self) -> int:
        """Count the suggestions."""
        return len(self._suggestions)

    def all(self) -> Iterator[Suggestion]:
        """Yield the suggestions, in no order."""
        sees = self._sees
        return (each for each in self._suggestions if sees is None or sees(each.document))

    def matches(self, typed: str, *, slips: bool = False) -> list[Match]:
        """Return what goes on from *typed*, each once with its best rank, in no order.

        With *slips* each word may be written about as it was typed (`near_words`).
        """
        wanted = phrases.folded(typed)
        if not wanted or len(wanted) > LONGEST:
            return []
        words = list(dict.fromkeys(_words(wanted)))
        ranked = self._with_slips(words) if slips else self._as_typed(wanted, words)
        best: dict[int, int] = {}
        for at, rank in ranked.items():
            place = self._forms[at][1]
            best[place] = min(rank, best.get(place, rank))
        found = [Match(rank, self._suggestions[place]) for place, rank in best.items()]
        sees = self._sees
        return found if sees is None else [each for each in found if sees(each.suggestion.document)]

    def _as_typed(self, wanted: str, words: Sequence[str]) -> dict[int, int]:
        """Return the forms that go on from *wanted* as it was typed, each with its rank."""
        found = self._with_all([self._places(word) for word in words])
        ranks = ((at, _rank(wanted, words, self._forms[at][0])) for at in found)
        ranked = {at: rank for at, rank in ranks if rank is not None}
        if any(c >= _SPACELESS for c in wanted):
            for at, (form, _) in enumerate(self._forms):
                if wanted in form:
                    ranked[at] = 0 if form.startswith(wanted) else 1
        return ranked

    def _places(self, word: str) -> set[int]:
        """Return the forms that have a word which begins with *word*."""
        found = near_words.beginning(self._words, word)
        return {at for place in found for at in self._postings[self._words[place]]}

    def _with_all(self, places: Sequence[set[int]]) -> set[int]:
        return set[int].intersection(*places) if places else set()

    def _with_slips(self, words: Sequence[str]) -> dict[int, int]:
        """Return the forms that have all *words* about as they were typed, each with its rank."""
        costs: list[dict[int, int]] = []
        for word in words:
            cost = dict.fromkeys(self._places(word), 0)
            for place, slips in near_words.near(self._words, word, near_words.slips(word)):
                for at in self._postings[self._words[place]]:
                    cost[at] = min(slips, cost.get(at, slips))
            costs.append(cost)
        both = self._with_all([set(cost) for cost in costs])
        return {
            at: 2 + sum(cost[at] for cost in costs)
            for at in both
            if len(words) <= len(_words(self._forms[at][0]))
        }


def _words(text: str) -> list[str]:
    """Return the words of a folded *text*, without the marks around them."""
    bare = (word.strip("\"'«»„“”‘’`´.,;:!?¿¡…()[]{}<>。、，；：！？") for word in text.split(" "))
    return [word for word in bare if word]


def _rank(wanted: str, words: Sequence[str], form: str) -> int | None:
    """Return how *form*, which has all *words*, goes on from what is *wanted*; None if it does not.

    Each of the words needs one of its own: "parking p" is not gone on with by "parking".
    """
    if form.startswith(wanted):
        return 0
    if f" {wanted}" in form:
        return 1
    free = _words(form)
    for word in sorted(words, key=len, reverse=True):
        begun = next((each for each in free if each.startswith(word)), None)
        if begun is None:
            return None
        free.remove(begun)
    return 2
