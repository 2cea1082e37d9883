from __future__ import annotations

from pathlib import Path
from typing import Final

from service import __main__
from tests.clients import field_coverage, field_exceptions
from tests.clients.field_exceptions import EXCEPTIONS

LIMITS: Final = Path(__main__.__file__).parent / "guide" / "limits.md"


def test_the_guide_says_what_is_never_written_and_why() -> None:
    _, _, section = LIMITS.read_text("utf-8").partition(
        "| What is never written | Why |\n| --- | --- |\n"
    )
    rows = section.partition("\n\n")[0].splitlines()
    assert rows == [f"| {one.what} | {one.reason} |" for one in EXCEPTIONS]


def test_each_exception_names_what_the_clients_know() -> None:
    known = set[str]()
    for message in field_coverage.report():
        fields = (*message.read, *message.unread)
        known |= {message.name, *(f"{message.name}.{field}" for field in fields)}
    named = [name for one in EXCEPTIONS for name in one.names]
    assert not set(named) - known
    assert len(named) == len(set(named))


def test_what_is_read_is_no_exception() -> None:
    video = ("aiplatform.ModalityTokenCount", ["token_count", "modality", "modality=VIDEO"])
    assert field_exceptions.stale([video]) == ["aiplatform.ModalityTokenCount.modality=VIDEO"]
    assert field_exceptions.excused("aiplatform.VideoMetadata", ["start_offset"]) == [
        "start_offset"
    ]
