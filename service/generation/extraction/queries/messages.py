"""Read what of a query a program may have said: an error message that was pasted or quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from service.language.question_kinds import QuestionKind

_PASTED: Final = frozenset((QuestionKind.IDENTIFIER, QuestionKind.OTHER, QuestionKind.HOW_TO))
"""Kinds of which a query that is a message is taken for one."""
_MESSAGE: Final = 3
"""Spaces of what was quoted from which on it is a message, no name."""
_LABEL: Final = re.compile(
    r"\A\W*(?:fatal )?(?:error|warning|fehler|warnung|erreur|advertencia)(?: message)?\W*:\s*",
    re.IGNORECASE,
)
"""What programs write before what they have to say."""
_WORD: Final = re.compile(r"\w+")


def of(query: str, kind: QuestionKind, quoted: Sequence[str]) -> tuple[str, ...]:
    """Return the messages in a *query* of that *kind* and in what it *quoted*, as `spoken`."""
    pasted = (_LABEL.sub("", query, count=1),) if kind in _PASTED else ()
    return tuple(spoken(one) for one in (*pasted, *quoted) if one.count(" ") >= _MESSAGE)


def spoken(text: str) -> str:
    """Return the words of *text* in lower case, without the marks between them."""
    return f" {' '.join(_WORD.findall(text.lower()))} "
