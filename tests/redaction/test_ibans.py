"""What is an IBAN."""

from __future__ import annotations

import pytest

from service.redaction import ibans

EXAMPLES = (
    "DE89370400440532013000 GB82WEST12345698765432 NL91ABNA0417164300 NO9386011117947"
    " FR1420041010050500013M02606 MT84MALT011000012345MTLCAST001S CH9300762011623852957"
    " PL61109010140000071219812874 BE68539007547034 SA0380000000608010167519"
).split()
"""Those that the registries give as examples."""


@pytest.mark.parametrize("iban", EXAMPLES)
def test_an_iban_is_found_alone_and_in_groups(iban: str) -> None:
    groups = " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))
    for form in (iban, groups, iban.lower(), groups.replace(" ", "-")):
        text = f"My IBAN is {form}, thank you"
        assert [text[slice(*span)] for span in ibans.spans(text)] == [form]


@pytest.mark.parametrize("iban", EXAMPLES)
def test_what_does_not_check_is_no_iban(iban: str) -> None:
    wrong = iban[:-1] + ("1" if iban[-1] != "1" else "2")
    for text in (wrong, iban[:-1], f"{iban}7", f"X{iban}", f"XX{iban[2:]}"):
        assert not list(ibans.spans(text))
