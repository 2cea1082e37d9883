"""What of a query a program may have said."""

from __future__ import annotations

import pytest

from service.generation.extraction.queries import messages
from service.language.question_kinds import QuestionKind as Q
from tests.generation.extraction.pages import answer, page

SAID = " no rope at the quay "
LOCK = page(
    "The lock",
    """\
# The lock

## Warnings of the lock

It is common to get "The gate was not driven by any keeper of the lock" in a storm, though the
gate seems to be well.

Call the keeper, who turns the red wheel at the pump house.

## Other news

The harbour sells fish on Fridays.
""",
)


@pytest.mark.parametrize(
    ("query", "kind", "quoted", "found"),
    [
        ("No rope at the quay!", Q.OTHER, [], (SAID,)),
        ("Error: no rope at the quay", Q.OTHER, [], (SAID,)),
        ("Error message: no rope at the quay", Q.IDENTIFIER, [], (SAID,)),
        ("Where is the rope at the quay?", Q.PLACE, [], ()),
        ("What does it mean?", Q.DEFINITION, ["No rope at the quay", "rope"], (SAID,)),
    ],
)
def test_what_a_program_may_have_said_is_read_without_its_label(
    query: str, kind: Q, quoted: list[str], found: tuple[str, ...]
) -> None:
    assert messages.of(query, kind, quoted) == found


@pytest.mark.parametrize("label", ["", "Error: ", "WARNING: "])
def test_what_helps_is_told_with_a_pasted_message(label: str) -> None:
    told = answer(f"{label}The gate was not driven by any keeper of the lock", LOCK)
    assert "red wheel" in told
    assert "fish" not in told
