"""Which beginning of a heading is the number of its section."""

from __future__ import annotations

import pytest

from service.language.queries import section_numbers


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("2.2. Which systems are supported?", "Which systems are supported?"),
        ("Chapter 3. Before you begin", "Before you begin"),
        ("Appendix C: Partitions", "Partitions"),
        ("A.4 Questions", "Questions"),
        ("2.6 Q06  How?", "How?"),
        ("Q4 results", "Q4 results"),
        ("Kapitel 12 – Drucken", "Drucken"),
        ("3 ways to pay", "3 ways to pay"),
        ("2026 fees", "2026 fees"),
        ("4.", "4."),
        ("Particles", "Particles"),
    ],
)
def test_a_heading_is_read_without_its_number(heading: str, said: str) -> None:
    assert section_numbers.without(heading) == said
