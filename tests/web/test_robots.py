"""What a robots.txt says to this service."""

from __future__ import annotations

import pytest

from service.web.robots import LIMIT, RobotsRules
from tests.answering.processor_time import cpu

PAGE = "https://www.example.org/a/page?x=1"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("<html>not found</html>", True),
        ("User-agent: *\nDisallow:", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: Colloquy/2\nDisallow: /a/", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: colloquy\nAllow: /", True),
        ("User-agent: other\nUser-agent: COLLOQUY # us\nDisallow:\t/a/", False),
        ("User-agent: *\nDisallow: /*?x=", False),
        ("User-agent: *\nDisallow: /a/\nAllow: /a/page", True),
        ("\x00\x1b\ud800", True),
    ],
)
def test_the_rules_of_the_nearest_group_count(text: str, allowed: bool) -> None:
    assert RobotsRules(text, "Colloquy").allow(PAGE) is allowed


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"User-agent: {n}\n" for n in range(9_000)) + "Disallow: /a\n" * 20_000,
        "".join(f"User  agent colloquy{n}\n" for n in range(9_000)) + "Disallow: /a\n" * 20_000,
        "User-agent: *\n" + "".join(f"Disallow: /{n}*a*a*a*$\n" for n in range(4_000)),
        "User-agent: *\nDisallow: /" + "*a" * 200_000,
    ],
    ids=["agents", "ours", "rules", "wildcards"],
)
def test_no_file_of_the_longest_size_takes_long(text: str) -> None:
    """Unchanged, ten thousand agents with as many rules took the library 157 seconds."""
    cut = text[:LIMIT]
    assert cpu(lambda: RobotsRules(cut, "Colloquy").allow("https://a.org/" + "a" * 1_900)) < 10
