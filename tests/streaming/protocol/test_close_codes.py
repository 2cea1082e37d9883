"""What each end of a connection says to the client."""

from __future__ import annotations

from streaming.protocol import close_codes


def test_every_close_code_says_whether_to_come_back() -> None:
    """One closed table: codes that it does not have, such as 1006, mean that a connection broke."""
    assert {code for code in close_codes.CLOSES if not close_codes.come_back(code)} == {
        *(1000, 1009),
        *(4400, 4401, 4403, 4404, 4406, 4413),
    }
    assert {code for code in close_codes.CLOSES if close_codes.come_back(code)} == {
        *(1001, 1011, 1012, 1013),
        *(4408, 4409, 4429),
    }
    assert close_codes.come_back(1006)


def test_the_reason_of_a_close_fits_its_frame() -> None:
    """A close frame has room for 123 bytes."""
    assert all(len(close.reason.encode()) <= 123 for close in close_codes.CLOSES.values())
