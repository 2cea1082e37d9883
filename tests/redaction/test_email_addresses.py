"""What is an e-mail address, and where it ends."""

from __future__ import annotations

import pytest

from service.redaction import email_addresses


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("write to ann@example.org.", "ann@example.org"),
        ("<Ann.Lee+work@mail.example.co.uk>", "Ann.Lee+work@mail.example.co.uk"),
        ("mailto:ann@example.org?subject=x", "ann@example.org"),
        ("https://x.org/p?email=ann@example.org&y=1", "ann@example.org"),
        ('"ann lee"@example.org', '"ann lee"@example.org'),
        ("j\u00fcrgen@m\u00fcller.de", "j\u00fcrgen@m\u00fcller.de"),
        ("\u8bf7\u8054\u7cfbann@example.org\u8c22\u8c22", "ann@example.org"),
        ("a@xn--mller-kva.de!", "a@xn--mller-kva.de"),
        ("'o'brien@example.org'", "o'brien@example.org"),
    ],
)
def test_an_address_is_found_as_a_whole(text: str, found: str) -> None:
    assert [text[slice(*span)] for span in email_addresses.spans(text)] == [found]


@pytest.mark.parametrize(
    "text",
    ["@ann", "foo@bar", "logo@2x.png", "lodash@4.17.21", "a @ b.org", "@@@@", "ann@.org", "1@2"],
)
def test_other_uses_of_the_sign_are_left(text: str) -> None:
    assert not list(email_addresses.spans(text))


def test_addresses_in_a_row_are_each_found() -> None:
    text = "ann@example.org;bob@example.org,cy@example.org"
    assert len(list(email_addresses.spans(text))) == 3
