"""What each end of a connection says to the client."""

from __future__ import annotations

from typing import Final

from sessions.errors import InvalidArgument, PermissionDenied
from streaming.protocol import close_codes

AGAIN: Final = (
    close_codes.CROWD,
    close_codes.GUESSES,
    close_codes.EXPIRED,
    close_codes.REVOKED,
    close_codes.OTHER_PRINCIPAL,
    close_codes.rejected(PermissionDenied("no", reason="TOKEN_INVALID")),
)
"""Ends whose code stands in the table with another reason."""


def test_every_close_code_says_whether_to_come_back() -> None:
    """One closed table: codes that it does not have, such as 1006, mean that a connection broke."""
    assert {code for code in close_codes.CLOSES if not close_codes.come_back(code)} == {
        *(1000, 1009),
        *(4400, 4403, 4404, 4406, 4413),
    }
    assert {code for code in close_codes.CLOSES if close_codes.come_back(code)} == {
        *(1001, 1011, 1012, 1013),
        *(4401, 4408, 4409, 4429),
    }
    assert close_codes.come_back(1006)


def test_the_reason_of_a_close_fits_its_frame() -> None:
    """A close frame has room for 123 bytes."""
    longest = close_codes.rejected(
        InvalidArgument("no", reason="R" * 80)
    )  # reasons are UPPER_SNAKE of at most 63 (AIP-193)
    closes = (*close_codes.CLOSES.values(), *AGAIN, longest)
    assert all(len(close.reason.encode()) <= 123 for close in closes)


def test_each_way_to_say_a_code_says_the_same_of_coming_back() -> None:
    assert all(close.come_back == close_codes.come_back(close.code) for close in AGAIN)
