"""A citation is shown as proof only where its source has something of what it is to prove."""

from __future__ import annotations

import pytest

from service.answering.proof.citation_support import CitationSupport
from sessions.resources import answers

TEXTS = (
    "A parking permit costs 40 euros a year. It is valid in the zone of your home.",
    "The library is open from nine to six. Books are kept for four weeks.",
    "Bring your passport.",
)
PERMIT = "A permit for parking costs 40 euros each year."


def kept(claim: str, *named: int, before: str = "Así es. ") -> list[int]:
    """Return the references that still support *claim*, which *named* ones."""
    start = len(before.encode())
    citation = answers.Citation(
        start_index=str(start),
        end_index=str(start + len(claim.encode())),
        sources=tuple(answers.CitationSource(reference_id=str(one)) for one in named),
    )
    found = CitationSupport(TEXTS, (0, 1, 1)).supported(before + claim, [citation])
    return [int(source.reference_id) for one in found for source in one.sources]


@pytest.mark.parametrize(
    ("claim", "named", "expected"),
    [
        (PERMIT, (0,), [0]),
        (PERMIT, (1,), []),
        (PERMIT, (0, 1), [0]),
        ("You need your passport.", (1,), [1]),  # another passage of the document
        ("Refunds take nine days by bank transfer.", (0,), []),
        ("Is that all?", (0,), [0]),
        ("Das Parken kostet vierzig Euro im Jahr, wenn man dort auch wohnt.", (0,), [0]),
    ],
)
def test_a_source_that_says_nothing_of_it_is_no_proof(
    claim: str, named: tuple[int, ...], expected: list[int]
) -> None:
    """What is no claim, or in another language, keeps its citation."""
    assert kept(claim, *named) == expected
