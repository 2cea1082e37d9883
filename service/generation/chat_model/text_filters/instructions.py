"""Take out what a model repeats of its instructions (OWASP LLM07:2025, system prompt leakage).

A visitor, or an order that is planted in a document, may ask for them. Told apart by runs of words:
an answer shares a few in a row with them by chance, and twelve by repeating them. What is encoded
or translated is not seen here; nothing secret belongs into instructions.

A machine without I/O; how the text was cut into pieces changes nothing. A run that may become one
is held back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_WORD: Final = re.compile(r"\w+")
_LAST_WORD: Final = re.compile(r"\w+$")
_REMOVED: Final = "…"
_SUSPECT: Final = 4
"""Words in a row from which the text is held back."""
_REPEATED: Final = 12
"""Words in a row of the rules that are no chance."""
_QUOTED: Final = 30
"""Words in a row of what the portal adds: facts that it wants told may stand there."""
_LONGEST_WORD: Final = 100
"""Characters of a word that may go on with the next piece."""


class _Run:
    """How many words in a row, up to the last one, stand so in a text."""

    def __init__(self, text: str) -> None:
        self._places = dict[str, list[int]]()
        for place, word in enumerate(_words(text)):
            self._places.setdefault(word, []).append(place)
        self._runs = dict[int, int]()

    def add(self, word: str) -> int:
        """Return the length of the longest run that ends with *word*."""
        places = self._places.get(word)
        if not places:
            if self._runs:
                self._runs = {}
            return 0
        before = self._runs
        self._runs = {place: before.get(place - 1, 0) + 1 for place in places}
        return max(self._runs.values())


class InstructionFilter:
    """Passes a text on without the runs of words that it repeats of its instructions."""

    def __init__(self, rules: str, added: str = "") -> None:
        """*rules* are ours; *added* is what the portal tells the model beside them."""
        self._rules, self._added = _Run(rules), _Run(added)
        self._most_of_added = _QUOTED
        self._begun = ""
        """What was told of a word that may go on."""
        self._held = ""
        self._told = 0
        """How far `_held` was told or cut out,"""
        self._read = 0
        """and how far it was read."""
        self._holding = self._cutting = False

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        self._held += text
        return self._pass(last=False)

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        return self._pass(last=True)

    def _pass(self, *, last: bool) -> str:
        told = list[str]()
        # What is done with is cut off once: to do so at each word would copy all that follows it.
        self._held, self._read, self._told = self._held[self._told :], self._read - self._told, 0
        while (word := self._next_word(last=last)) is not None:
            text, self._read = word
            in_rules, in_added = self._rules.add(text), self._added.add(text)
            if in_rules >= _REPEATED or in_added >= self._most_of_added:
                if not self._cutting:
                    told.append(_REMOVED)
                self._told, self._cutting = self._read, True
                # Who repeats the rules is about to repeat the rest.
                self._most_of_added = _REPEATED
                continue
            self._cutting = False
            suspected = max(in_rules, in_added) >= _SUSPECT
            # The word that makes a run suspect is told: it may have been before it was whole.
            if not (suspected and self._holding):
                self._tell(self._read, told)
            self._holding = suspected
        if last or not (self._holding or self._cutting):
            tail = _LAST_WORD.search(self._held, self._read)
            if tail is not None:
                goes_on = tail.start() == self._told
                self._begun = self._begun + tail[0] if goes_on else tail[0]
            self._tell(len(self._held), told)
        return "".join(told)

    def _next_word(self, *, last: bool) -> tuple[str, int] | None:
        """Return the next word that is whole, and where it ends in what is held."""
        held = self._held
        if self._begun and held and not _WORD.match(held):
            word, self._begun = _WORD.search(self._begun), ""
            if word is not None:
                return word[0].lower(), 0
        word = _WORD.search(held, self._read)
        if word is None or (word.end() == len(held) and not last):
            return None
        begun, self._begun = self._begun, ""
        return (begun + word[0]).lower(), word.end()

    def _tell(self, end: int, told: list[str]) -> None:
        told.append(self._held[self._told : end])
        self._told = self._read = end


def _words(text: str) -> Iterator[str]:
    return (found[0].lower() for found in _WORD.finditer(text))
