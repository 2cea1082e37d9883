import re
import zlib

import pytest

from service.security.api_keys import key_text
from service.security.api_keys.api_key import Scope

KEY = key_text.new("s", "k3y1d00000")


def test_a_key_is_found_by_a_pattern_of_scanners() -> None:
    pattern = r"\bcolloquy_[asri]_[0-9a-z]{10}_[0-9A-Za-z]{49}\b"
    found = re.search(pattern, f'headers = {{"x-goog-api-key": "{KEY}"}}')
    assert found is not None
    assert found[0] == KEY


def test_no_two_keys_of_an_id_are_the_same() -> None:
    assert len({key_text.new("s", "k3y1d00000") for _ in range(100)}) == 100
    assert len({key_text.new_id() for _ in range(100)}) == 100


def test_no_two_scopes_have_a_letter() -> None:
    assert len({scope.letter for scope in Scope}) == len(Scope)


@pytest.mark.parametrize("at", range(0, len(KEY), 5))
def test_a_mistyped_key_is_known_by_its_checksum(at: int) -> None:
    other = "1" if KEY[at] != "1" else "2"
    assert key_text.is_whole(KEY)
    assert not key_text.is_whole(KEY[:at] + other + KEY[at + 1 :])


@pytest.mark.parametrize(
    "text", ["", "{cut}", "{key}0", " {key}", "{key}\n", "{upper}", "colloquy_s_x_y", "é" * 9]
)
def test_what_was_cut_off_or_added_to_is_no_key(text: str) -> None:
    """The key is random: an id of a test that held it would differ from process to process."""
    given = text.format(key=KEY, cut=KEY[:-1], upper=KEY.upper())
    assert not key_text.is_whole(given)


def test_the_checksum_is_a_crc32_that_scanners_can_compute() -> None:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0
    for digit in KEY[-6:]:
        number = number * 62 + digits.index(digit)
    assert number == zlib.crc32(KEY[:-6].encode())


def test_the_id_is_read_from_a_key_that_was_found_somewhere() -> None:
    assert key_text.id_in(KEY) == key_text.id_in("k3y1d00000") == "k3y1d00000"
    assert key_text.id_in("server") == key_text.id_in("") == ""


def test_whatever_a_header_can_hold_has_a_digest() -> None:
    assert key_text.digest(b"\xff\x00".decode("latin-1")) != key_text.digest("\udcff")
