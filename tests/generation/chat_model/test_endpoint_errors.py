from __future__ import annotations

import json

import pytest

from service.generation.chat_model.endpoint_errors import code_of, retry_after_seconds


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            b'{"error": {"code": "context_length_exceeded", "message": "m"}}',
            "context_length_exceeded",
        ),
        (b'{"error": {"code": null, "type": "invalid_request_error"}}', "invalid_request_error"),
        (b'{"error": {"code": 404}}', "404"),
        (json.dumps({"error": {"code": "key sk-123 is wrong"}}).encode(), ""),
        (b'{"error": "model not found"}', ""),
        (b'{"detail": "Not Found"}', ""),
        (b"<html>", ""),
        (b'{"error": {"code": "\xff\xfe"}}', ""),
        (b'{"x": ' + b"[" * 60_000, ""),
    ],
    ids=lambda value: str(value[:40]),
)
def test_only_a_plain_code_is_taken_from_an_error_document(body: bytes, code: str) -> None:
    """Messages quote keys and prompts."""
    assert code_of(body) == code


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", 7.0),
        ("-1", 0.0),
        ("inf", None),
        ("soon", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 -0000", 0.0),
    ],
)
def test_a_retry_after_is_read_or_passed_over(header: str, wait: float | None) -> None:
    """A date in "-0000" has no time zone, and nobody waits for ever."""
    assert retry_after_seconds(header) == wait
