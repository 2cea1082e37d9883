"""How much of made-up personal data is masked, how much of other numbers, and at what cost."""

from __future__ import annotations

import random
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from service.redaction.redactor import KINDS, Redactor
from tests.bench.measuring import Row, at_least, at_most, informs
from tests.redaction import samples

COUNT: Final = 5_000
LONG: Final = 10_000
"""Characters of the longest query."""
HOSTILE: Final = ("@", "1", "a@", "a@b.co ", "4111 ", "DE89 ", "01 ", "+49 ", "phone 1234567 ")
EVERYTHING: Final = Redactor(KINDS)
_LABELLED: Final = Path(__file__).parents[1] / "questions" / "labelled"


def run() -> list[Row]:
    """Return the rows."""
    rows = [
        at_least(f"{COUNT:,} {what}: masked", _masked(make, carriers), floor, "%")
        for what, make, carriers, floor in (
            ("e-mail addresses", samples.email, samples.PLAIN, 100),
            ("payment cards", samples.card, samples.PLAIN, 100),
            ("IBANs", samples.iban, samples.PLAIN, 100),
            ("numbers with a code of a country", samples.international, samples.PLAIN, 99),
            ("numbers in national forms", samples.national, samples.PLAIN, 97),
            ("bare numbers that are called phones", samples.bare, samples.CALLED, 97),
        )
    ]
    bare = _masked(samples.bare, samples.PLAIN)
    others = _masked(samples.other, samples.PLAIN)
    questions = _questions()
    changed = sum(EVERYTHING.redacted(each) != each for each in questions)
    return [
        *rows,
        informs(f"{COUNT:,} bare numbers that nothing calls phones: masked", bare, "%"),
        at_most(f"{COUNT:,} orders, versions, dates, errors: masked", others, 0.1, "%"),
        at_most(f"{len(questions):,} questions of portals: changed", changed, 0, ""),
        *_costs(),
    ]


def _masked(make: Callable[[random.Random], str], carriers: Sequence[str]) -> float:
    """Return of how many texts in a hundred nothing of what is made is left."""
    rng, masked = random.Random(7), 0
    for _ in range(COUNT):
        made = make(rng)
        carrier = rng.choice(carriers)
        text = EVERYTHING.redacted(carrier.format(made))
        before, _, after = carrier.partition("{}")
        left = text[len(before) : len(text) - len(after)]
        masked += not any(char.isdigit() or char == "@" for char in left)
    return 100 * masked / COUNT


def _questions() -> list[str]:
    """Return the questions that portals are measured by."""
    files = (tomllib.loads(file.read_text()) for file in _LABELLED.glob("*.toml"))
    return [question["ask"] for file in files for question in file["question"]]


def _costs() -> list[Row]:
    question = "What does a parking permit cost for residents in zone 4?"
    worst = max(_seconds((piece * LONG)[:LONG]) for piece in HOSTILE)
    return [
        informs("an ordinary question", _seconds(question, 1_000) * 1e6, "µs"),
        at_most(f"the worst of {LONG:,} characters", worst * 1e3, 50, "ms"),
    ]


def _seconds(text: str, times: int = 3) -> float:
    taken: list[float] = []
    for _ in range(times):
        began = time.thread_time()
        EVERYTHING.redacted(text)
        taken.append(time.thread_time() - began)
    return min(taken)
