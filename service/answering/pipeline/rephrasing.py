"""Make a follow-up query stand alone, from the earlier turns and without a model.

What the conversation is about is followed turn by turn: a query that stands alone sets the topic,
one that leans on the turns before it adds to it. A leaning query gets the topic in brackets, which
reads well and leaves the words of the user as they are: "How much does it cost? (REAL ID card)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from service.generation.generator import PastTurn
from service.language import content_terms, detection
from service.language.queries import leaning

_TURNS: Final = 10
"""Earlier turns that are looked at, so that a long session costs what a short one does."""
_ENDS: Final = 1_000
"""Characters at the beginning, and at the end, of a query that show what it is about."""
_RUN_BREAK: Final = re.compile(r"[,;:.!?()\"]+(?:\s|$)|[？！。，；：¿¡]")
_SPELLED: Final = re.compile(r"[^\s,;!?()\"]+")
_GENERIC: Final = 3.0
"""A word that tells less is no topic by itself."""
_RARE: Final = 6.5
"""A word that tells more may just be misspelled."""
_SAYS_LITTLE: Final = 3.5
"""A query whose content terms tell less together stands for nothing by itself."""
_TURNS_TO: Final = re.compile(r"(?:.{0,20}\b)?(?:what|how) about\b", re.IGNORECASE)
_PHRASE: Final = 5
"""Words of a topic, at most: it is read in brackets after the query."""
_JOINS: Final = frozenset(("of", "de", "del", "du", "des", "da", "do", "von"))
_EDGE: Final = frozenset(
    "tell explain describ show give know find work happen mean cost need help talk think want use"
    " differ exampl common import main type kind someth anyth lot way thing like look good bad best"
    " say ask question answer pleas hello hi thank inform detail list name recent new interest"
    " compar contrast relat effect impact affect caus reason consid come go start becom call"
    " excus sorri correct yeah realli know anyway suppos guess understand got sure read hear"
    .split()
)  # fmt: skip


def rephrase(query: str, history: Sequence[PastTurn]) -> str:
    """Return *query* so that it can be understood without *history* (oldest first).

    A query that stands alone comes back as it is.
    """
    if not (history and leans(query, history[-1].query)):
        return query
    turns, topic, last = history[-_TURNS:], "", ""
    asked = [_gist(turn.query) for turn in turns]
    language = detection.detect(" ".join((query, *asked)))
    for each in asked:
        topic, last = _moved(topic, each, last, language), each
    known = set(content_terms.all_of(query, language))
    told = not topic or known.issuperset(content_terms.of(topic, language))
    return query if told else f"{query.rstrip()} ({topic})"


def leans(query: str, last: str = "") -> bool:
    """Tell whether *query* is only understood after the turns before it, with *last* as the last.

    Who asks for the same under a condition names the condition, and not what is asked.
    """
    query = _gist(query)
    return leaning.after(query, last).leaning in leaning.DEPENDENT or _is_bare(query)


def _gist(query: str) -> str:
    """Return *query*, a long one without its middle: to read a pasted document takes long."""
    return query if len(query) <= 2 * _ENDS else f"{query[:_ENDS]}\n{query[-_ENDS:]}"


def _is_bare(query: str) -> bool:
    """Tell whether *query* says too little to be about anything."""
    return sum(_weights(query)) < _SAYS_LITTLE


def _weights(query: str) -> list[float]:
    """Return how much each content term of *query* tells."""
    terms = set(content_terms.of(query, detection.detect(query)))
    return [content_terms.weight(term) for term in terms]


def phrases(query: str, language: str = "en") -> list[str]:
    """Return what *query* is about, the most telling phrase first."""
    found = dict[str, float]()
    for part in _RUN_BREAK.split(query):
        for phrase in _runs(part, language):
            terms = [content_terms.term_of(word, language) for word in phrase]
            weights = [content_terms.weight(term) for term in terms]
            if max(weights) >= _GENERIC:
                found[" ".join(phrase)] = sum(min(weight, _RARE) for weight in weights)
    return sorted(found, key=lambda phrase: -found[phrase])


def _moved(topic: str, query: str, last: str, language: str) -> str:
    """Return what the conversation is about after *query*, which came after *last*."""
    own = phrases(query, language)
    if own and (not topic or not leans(query, last) or _TURNS_TO.match(query.strip())):
        return own[0]
    return topic


def _runs(text: str, language: str) -> list[list[str]]:
    """Return the runs of words in *text* that mean something, without generic edges."""
    runs: list[list[str]] = [[]]
    for word in _SPELLED.findall(text):
        if not content_terms.is_function_word(word, language) or (word in _JOINS and runs[-1]):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [trimmed for run in runs if (trimmed := _trimmed(run, language))]


def _trimmed(run: list[str], language: str) -> list[str]:
    """Return *run* without generic words at its edges, and not too long."""
    first, last = 0, len(run)
    while first < last and _is_edge(run[first], language):
        first += 1
    last = min(last, first + _PHRASE)
    while first < last and _is_edge(run[last - 1], language):
        last -= 1
    return run[first:last]


def _is_edge(word: str, language: str) -> bool:
    if word in _JOINS:
        return True
    return not word[0].isupper() and content_terms.term_of(word, language) in _EDGE
