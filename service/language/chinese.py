"""Write Chinese in simplified characters, so that who writes the traditional ones is understood.

``traditional_characters.txt`` has pairs of them, from OpenCC's dictionary of characters (Apache
License 2.0, ``NOTICE``); of a character that became several it has the first. The two ways to
write "account" (帐 and 账) are one here. Each becomes one other: places in a text stay.
"""

from __future__ import annotations

import functools
import importlib.resources


def simplified(text: str) -> str:
    """Return *text*, which is Chinese, in simplified characters; as long as it was."""
    return text if text.isascii() else text.translate(_characters())


@functools.cache
def _characters() -> dict[int, int]:
    return {ord(traditional): ord(simple) for traditional, simple in table().split()}


def table() -> str:
    """Return the pairs, set apart by spaces and lines: the traditional character first."""
    file = importlib.resources.files("service.language").joinpath("traditional_characters.txt")
    return file.read_text("utf-8")
