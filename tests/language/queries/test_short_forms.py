"""The short form that a text has in brackets behind a name."""

from __future__ import annotations

import pytest

from service.language.queries import short_forms


@pytest.mark.parametrize(
    ("text", "variants"),
    [
        ("Harbour Master (HM) is busy", ("Harbour Master is busy", "HM is busy")),
        ("A list of boats (LOB) is", ("A list of boats is", "A LOB is")),
        ("the Acme Simple Store Set (S3)?", ("the Acme Simple Store Set?", "the Acme S3?")),
        (
            "What is Acme Harbour Sale (Acme HS)?",
            ("What is Acme Harbour Sale?", "What is Acme HS?", "What is HS?"),
        ),
    ],
)
def test_a_name_is_read_by_its_short_form(text: str, variants: tuple[str, ...]) -> None:
    assert short_forms.variants(text) == variants


@pytest.mark.parametrize(
    "text",
    [
        "Add a boat (CLI)",
        "Acme Simple Boat Store (S3)",
        "Boats (see below)",
        "Boats (two)",
        "Boats",
        "(HM)",
    ],
)
def test_other_brackets_are_no_short_form(text: str) -> None:
    assert not short_forms.variants(text)
