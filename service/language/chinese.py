"""Write Chinese in simplified characters, so that who writes the traditional ones is understood.

Words are not set apart, so that each pair of characters is a term; `seams` tells which are none.

``traditional_characters.txt`` has pairs of them, from OpenCC's dictionary of characters (Apache
License 2.0, ``NOTICE``); of a character that became several it has the first. The two ways to
write "account" (帐 and 账) are one here. Each becomes one other: places in a text stay.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Callable, Sequence


def simplified(text: str) -> str:
    """Return *text*, which is Chinese, in simplified characters; as long as it was."""
    return text if text.isascii() else text.translate(_characters())


def seams(terms: Sequence[str], known: Callable[[str], bool]) -> frozenset[str]:
    """Return those of *terms*, in their order, that are but the end of a word and the next one's.

    No document has them, while what they overlap with is *known*: of 添加打印机 that is 加打.
    """
    return frozenset(
        term
        for before, term, after in zip(terms, terms[1:], terms[2:], strict=False)
        if _is_pair(term) and before[-1] == term[0] and after[0] == term[1]
        if known(before) and known(after) and not known(term)
    )


def _is_pair(term: str) -> bool:
    return len(term) == 2 and min(term) >= "\u3400" and max(term) <= "\u9fff"


@functools.cache
def _characters() -> dict[int, int]:
    return {ord(traditional): ord(simple) for traditional, simple in table().split()}


def table() -> str:
    """Return the pairs, set apart by spaces and lines: the traditional character first."""
    file = importlib.resources.files("service.language").joinpath("traditional_characters.txt")
    return file.read_text("utf-8")
