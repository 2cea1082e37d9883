"""Files of every kind become the text that a person reads in them."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.corpus.parsing import chunking, parsing
from service.corpus.parsing.parsed_documents import BodyLimits, Unreadable
from tests.corpus.texts import pdf_file, word_file


def seconds(text: str, mime: str) -> float:
    """Return what it takes to read and cut *text*."""
    started = time.process_time()
    with contextlib.suppress(Unreadable):
        chunking.chunk(parsing.parse(text.encode(), mime=mime))
    return time.process_time() - started


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("<!--", 2_500),
        ("![", 1_250),
        (" ".join("`" * (n % 300 + 1) for n in range(250)), 1),
        ("{%", 10_000),
        ("<b></x>", 4_000),
        ("a\n", 5_000),
        ("# q?\n\na\n\n", 1_000),
    ],
    ids=["marks", "brackets", "ticks", "tags", "elements", "lines", "questions"],
)
@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_no_text_takes_longer_than_its_length_explains(text: str, times: int, mime: str) -> None:
    """Four times the text takes about four times as long; where it took sixteen, it never ends."""
    quarter = seconds(text * times, mime)
    assert seconds(text * times * 4, mime) < 8 * quarter + 0.5


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße".encode(), "Grüße"),
        (b"\xef\xbb\xbf" + "Grüße".encode(), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        ("Grüße €".encode("cp1252"), "Grüße €"),
    ],
)
def test_text_is_read_in_the_encodings_that_are_met(data: bytes, text: str) -> None:
    assert parsing.parse(data, mime="text/plain").body == text


@pytest.mark.parametrize(
    ("data", "filename", "reason"),
    [
        (b"%PDF-1.4 no more", "a.pdf", "BROKEN_FILE"),
        (b"", "a.pdf", "BROKEN_FILE"),
        (pdf_file([]), "a.pdf", "NO_TEXT"),
        (b"no archive", "a.docx", "BROKEN_FILE"),
        (word_file()[:-200], "a.docx", "BROKEN_FILE"),
        (b"[1]", "a.json", "INVALID_JSON"),
        (b"\x00\x01", "a.bin", "UNSUPPORTED_FORMAT"),
    ],
)
def test_a_bad_file_gives_a_reason(data: bytes, filename: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parsing.parse(data, filename=filename)
    assert refused.value.reason == reason


def test_a_body_over_its_limit_is_refused() -> None:
    limits = BodyLimits(characters=1000)
    for mime in ("text/plain", "text/markdown", "text/html"):
        with pytest.raises(Unreadable) as refused:
            parsing.parse(b"word word\n\n" * 1000, mime=mime, limits=limits)
        assert refused.value.reason == "TOO_LARGE"


@given(st.binary(max_size=300), st.sampled_from([".md", ".html", ".txt", ".pdf", ".docx", ".json"]))
def test_any_bytes_are_read_or_refused(data: bytes, suffix: str) -> None:
    try:
        parsed = parsing.parse(data, filename=f"f{suffix}")
    except Unreadable:
        return
    end = 0
    for block in parsed.blocks:
        assert end <= block.start < block.end <= len(parsed.body)
        end = block.end
