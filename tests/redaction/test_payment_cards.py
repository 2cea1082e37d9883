"""What is the number of a payment card."""

from __future__ import annotations

import pytest

from service.redaction import payment_cards

EXAMPLES = (
    "4111111111111111 4000000000000000006 5555555555554444 2223003122003222 378282246310005"
    " 30569309025904 6011111111111117 3530111333300000 6200000000000005 6304000000000000"
).split()
"""Test numbers that the issuers publish."""


@pytest.mark.parametrize("card", EXAMPLES)
def test_a_card_is_found_alone_and_in_groups(card: str) -> None:
    for mark in (" ", "-", "."):
        groups = mark.join(card[at : at + 4] for at in range(0, len(card), 4))
        for form in (card, groups):
            text = f"order 7 {form} 12/27"
            assert [text[slice(*span)] for span in payment_cards.spans(text)] == [form]


@pytest.mark.parametrize("card", EXAMPLES)
def test_what_does_not_check_is_no_card(card: str) -> None:
    wrong = card[:-1] + str((int(card[-1]) + 1) % 10)
    for text in (
        wrong,
        f"1234-{card}",
        f"x{card}",
        f"{card}-99",
        "1" * 16,
        "9" * 16,
        "0" * 16,
        "4006381333931",
    ):
        assert not list(payment_cards.spans(text))
