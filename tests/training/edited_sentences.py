"""Sentences of documents with one edit each: lies that look like the truth, and harmless cuts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.language import content_terms, detection, sentences

DOCUMENTS: Final = 80
"""Documents of a corpus that are taken."""
LONGEST: Final = 2_000
"""Characters of a document that count as its text."""
WORDS: Final = range(8, 31)
"""Words of a sentence that is edited."""
_AUXILIARY: Final = re.compile(
    r"\b(?:is|are|was|were|can|will|must|may|should|has|es|está|son|puede|debe|est|sont|peut|doit)\b"
)
_DENIAL: Final = re.compile(r"\b(?:not|no|never|without|nicht|kein|pas|sin)\b ?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<=[^\W\d_] )\d+(?![\w.]*\w)")
_BEFORE_VERB: Final = frozenset({"es", "está", "son", "puede", "debe"})
_OPPOSITES: Final = {
    "before": "after", "after": "before", "more": "less", "less": "more", "always": "never",
    "must": "may", "with": "without", "without": "with", "enable": "disable", "first": "last",
    "include": "exclude", "includes": "excludes", "increase": "decrease", "minimum": "maximum",
    "antes": "después", "después": "antes", "más": "menos", "con": "sin", "avant": "après",
    "après": "avant", "plus": "moins", "avec": "sans",
}  # fmt: skip


class Edited(NamedTuple):
    """A sentence after its edit, and the text that it was taken from."""

    kind: str
    label: int
    claim: str
    text: str


def of(documents: Sequence[str], chance: random.Random) -> Iterator[Edited]:
    """Yield at most a sentence of each document for each kind of edit."""
    taken = chance.sample(list(documents), min(DOCUMENTS, len(documents)))
    strange = [_content(text[:LONGEST]) for text in taken]
    for at, document in enumerate(taken):
        text = document[:LONGEST]
        candidates = [s for s in _sentences(text) if len(s.split()) in WORDS]
        others = chance.choice(strange[:at] + strange[at + 1 :] or [[]])
        own = {word.lower() for word in text.split()}
        others = [word for word in others if word.lower() not in own and word.isalpha()]
        if not candidates or not others:
            continue
        for kind, (label, edit) in EDITS.items():
            sentence = chance.choice(candidates)
            claim = edit(sentence, others, chance)
            if claim and claim != sentence:
                yield Edited(kind, label, claim, text)
        strangers = [s for s in _sentences(taken[at - 1][:LONGEST]) if len(s.split()) in WORDS]
        if strangers:
            yield Edited("of another document", 0, chance.choice(strangers), text)


def _negated(sentence: str, _others: Sequence[str], _chance: random.Random) -> str:
    if _DENIAL.search(sentence):
        return _DENIAL.sub("", sentence, count=1)
    found = _AUXILIARY.search(sentence)
    if found is None:
        return ""
    denied = f"no {found[0]}" if found[0] in _BEFORE_VERB else f"{found[0]} not"
    denied = f"ne {found[0]} pas" if found[0] in {"est", "sont", "peut", "doit"} else denied
    return sentence[: found.start()] + denied + sentence[found.end() :]


def _renumbered(sentence: str, _others: Sequence[str], chance: random.Random) -> str:
    return _NUMBER.sub(lambda found: str(int(found[0]) + chance.randint(1, 9)), sentence, count=1)


def _opposite(sentence: str, _others: Sequence[str], _chance: random.Random) -> str:
    split = sentence.split(" ")
    at = next((at for at, word in enumerate(split) if word.lower() in _OPPOSITES), None)
    if at is None:
        return ""
    split[at] = _OPPOSITES[split[at].lower()]
    return " ".join(split)


def _inserted(sentence: str, others: Sequence[str], chance: random.Random) -> str:
    split = sentence.split(" ")
    split.insert(chance.choice(_telling(split)), chance.choice(others))
    return " ".join(split)


def _replaced(sentence: str, others: Sequence[str], chance: random.Random) -> str:
    split = sentence.split(" ")
    split[chance.choice(_telling(split))] = chance.choice(others)
    return " ".join(split)


def _invented(sentence: str, others: Sequence[str], chance: random.Random) -> str:
    """Keep the first half of a sentence, and say something else of it."""
    split = sentence.split(" ")
    return " ".join([*split[: len(split) // 2], *chance.choices(others, k=2)])


def _shortened(sentence: str, _others: Sequence[str], chance: random.Random) -> str:
    split = sentence.split(" ")
    left_out = chance.sample(range(len(split)), 2)
    if any(_DENIAL.match(split[at]) or split[at].lower() in _OPPOSITES for at in left_out):
        return ""
    return " ".join(word for at, word in enumerate(split) if at not in left_out)


def _loosened(sentence: str, _others: Sequence[str], chance: random.Random) -> str:
    """Turn the halves of a sentence round, as a paraphrase does."""
    split = sentence.rstrip(".").split(" ")
    middle = len(split) // 2 + chance.randint(-1, 1)
    return " ".join([*split[middle:], *split[:middle]])


EDITS: Final[Mapping[str, tuple[int, Callable[[str, Sequence[str], random.Random], str]]]] = {
    "negated": (0, _negated),
    "another number": (0, _renumbered),
    "the opposite": (0, _opposite),
    "a word inserted": (0, _inserted),
    "a word replaced": (0, _replaced),
    "half invented": (0, _invented),
    "shortened": (1, _shortened),
    "halves turned round": (1, _loosened),
}
"""Whether a sentence after each edit is still supported, and the edit; "" where it cannot be."""


RULED: Final = frozenset(
    {"negated", "another number", "the opposite", "a word inserted", "a word replaced"}
)
"""Edits that `claim_scores.Faults` are there to find."""


def _telling(split: Sequence[str]) -> list[int]:
    """Return the places of the words that tell something; all where none does."""
    places = [at for at, word in enumerate(split) if content_terms.of(word)]
    return places or list(range(len(split)))


def _content(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]{4,}", text) if content_terms.of(word)]


def _sentences(text: str) -> list[str]:
    language = detection.detect(text)
    return [" ".join(text[a:b].split()) for a, b in sentences.spans(text, language)]
