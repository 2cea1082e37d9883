"""What is a telephone number, and which numbers survive."""

from __future__ import annotations

import pytest

from service.redaction import phone_numbers


@pytest.mark.parametrize(
    "number",
    [
        *("+49 30 1234567", "+49 (0)30 123 45 67", "+1 (555) 234-5678", "+15552345678"),
        *("+44 20 7946 0958", "+33.1.23.45.67.89", "0049 30 1234567", "001 555 234 5678"),
        *("(555) 234-5678", "555-234-5678", "555.234.5678", "1-800-555-1234"),
        *("030 1234567", "0171/1234567", "030 / 123 45 67", "01 23 45 67 89", "020 7946 0958"),
        *("06-12345678", "(030) 123456", "138 1234 5678"),
    ],
)
def test_a_number_is_known_by_its_form(number: str) -> None:
    text = f"Reach us under {number}, after ten."
    first = next(phone_numbers.spans(text))
    assert text[slice(*first)] == number


@pytest.mark.parametrize(
    "text",
    [
        *(
            "my phone is 5552345",
            "call me at 612345678",
            "Telefon: 612 345 678",
            "Tel. 12 34 56 78",
        ),
        *(
            "mi tel\u00e9fono es el 612345678",
            "\u7535\u8bdd13812345678",
            "my number is 98765 43210",
        ),
    ],
)
def test_a_number_is_known_by_what_is_said_before_it(text: str) -> None:
    assert len(list(phone_numbers.spans(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("order 0445 110 123", "order 113-1234567-1234567", "612 345 678", "ABC-555-234-5678"),
        *("version 10.0.19045.3803", "01-02-2024", "01.02.2024 10:30", "2024-05-06 12:30:45"),
        *(
            "192.168.100.200",
            "2024-05-06T12:30:00+02:00",
            "error 0x80070005",
            "call error 80070005",
        ),
        *("ISBN 978-3-16-148410-0", "0-306-40615-2", "1.234.567,89 EUR", "$1,234,567.89", "911"),
        *("+1 234 567", "+12.345.678", "GMT+0200", "phone model 12345678", "123456789012345"),
        *("123e4567-e89b-12d3-a456-426614174000", "00123456789012", "9:00-17:00", "form 1040-2024"),
        *("0.001 0.000 200 200 34 366", "ERROR_001 2020-05-29 20:15", "10.003.3.03 2088m"),
        *("call version 20240506", "between 1990-2024 and 2025", "ticket #555-234-5678"),
    ],
)
def test_other_numbers_survive(text: str) -> None:
    assert not list(phone_numbers.spans(text))
