from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.generation.chat_model import token_usage
from service.generation.generator import Usage

COUNTS = {"prompt_tokens": 10, "completion_tokens": 7}
DEEP = b'{"prompt_tokens": 1, "more": ' + b"[" * 5_000


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        ({}, Usage(prompt=10, completion=7)),
        ({"total_tokens": 17, "prompt_tokens_details": None}, Usage(prompt=10, completion=7)),
        (
            {
                "prompt_tokens_details": {"cached_tokens": 4, "image_tokens": 3, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
            Usage(prompt=10, completion=7, cached=4, reasoning=5, prompt_image=3, prompt_audio=0),
        ),
        ({"prompt_cache_hit_tokens": 4}, Usage(prompt=10, completion=7, cached=4)),
        ({"total_tokens": 22}, Usage(prompt=10, completion=12, reasoning=5)),
    ],
)
def test_counts_are_read_as_endpoints_send_them(said: dict[str, Any], usage: Usage) -> None:
    assert token_usage.read(msgspec.json.encode(COUNTS | said)) == usage


@pytest.mark.parametrize("said", [b"3", b"[]", b"{}", b'{"prompt_tokens": -1}', b'"many"', DEEP])
def test_what_is_no_usage_is_none(said: bytes) -> None:
    assert token_usage.read(said) is None
