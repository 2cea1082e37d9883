"""Tell whether somebody writes of their own distress, or of that of somebody near.

Such a message is never refused as harmful, and never with a sentence about search results. Who
asks what a portal says of the matter ("suicide prevention courses") is not in distress.
``distress.txt`` has the patterns: per line how grave it is, the language, and what is written.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from typing import Final

import msgspec

_READ: Final = 2_000
"""Characters of a message that are looked at."""
_LINE: Final = "line"
"""The patterns of what a page names that tells whom to call."""
_SHARED: Final = {
    "@PLACES": "in|at|with|near|here|there|on|off|under|without|alone|next|close|by|together|as",
    "@MORE": "(?:anymore|any more|any longer)",
    "@NEAR": (
        "friend|son|daughter|brother|sister|husband|wife|partner|mother|mom|mum|father|dad"
        "|boyfriend|girlfriend|child|kid|roommate|colleague|he|she|ex"
    ),
}
"""What several English patterns have: where one lives, for how long, and who is near."""
_CALLED: Final = re.compile(r"\d[\d ().-]{1,16}\d|https?://|www\.")


class Distress(msgspec.Struct, frozen=True):
    """Somebody's distress, and the language that tells of it."""

    language: str

    acute: bool
    """Whether a life may be at risk: then it matters only whom to call."""


def read(message: str) -> Distress | None:
    """Return the distress that *message* tells of, `None` where it tells of none."""
    text = " ".join(message[:_READ].lower().replace("’", "'").split())
    for (grave, language), pattern in _patterns().items():
        if grave != _LINE and pattern.search(text):
            return Distress(language, grave == "acute")
    return None


def names_a_line(text: str) -> bool:
    """Tell whether *text* says whom to call in distress."""
    names = any(
        pattern.search(text.lower())
        for (grave, _), pattern in _patterns().items()
        if grave == _LINE
    )
    return names and _CALLED.search(text) is not None


@functools.cache
def _patterns() -> dict[tuple[str, str], re.Pattern[str]]:
    """Read ``distress.txt``: the gravest first, one pattern for each language."""
    file = importlib.resources.files("service.answering.small_talk").joinpath("distress.txt")
    found = dict[tuple[str, str], list[str]]()
    for line in file.read_text("utf-8").splitlines():
        if line[:1] in ("#", ""):
            continue
        grave, language, pattern = line.split(" ", 2)
        for name, shared in _SHARED.items():
            pattern = pattern.replace(name, shared)
        found.setdefault((grave, language), []).append(pattern)
    return {key: re.compile("|".join(patterns)) for key, patterns in found.items()}
