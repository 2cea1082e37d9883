from __future__ import annotations

import json

import pytest

from service.generation.refusals import code_of


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
    ],
)
def test_only_a_plain_code_is_taken_from_an_error_document(body: bytes, code: str) -> None:
    """Messages quote keys and prompts."""
    assert code_of(body) == code
