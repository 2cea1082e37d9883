"""Find e-mail addresses: as the HTML standard has them, with a domain of more than one label.

Letters of other scripts are taken too (RFC 6531), but for those that are written without spaces:
there an address would take the words around it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LETTERS: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0dff\u1e00-\u1fff"
_LABEL: Final = f"[0-9{_LETTERS}](?:[0-9{_LETTERS}-]{{0,61}}[0-9{_LETTERS}])?"
_ADDRESS: Final = re.compile(
    rf"(?<=[0-9{_LETTERS}.!$%'*+^_`{{|}}~\"-])@(?!\d+x\.)(?:{_LABEL}\.){{1,20}}(?:xn--[0-9A-Za-z-]{{1,59}}|[{_LETTERS}]{{2,63}})"
)
"""``logo@2x.png`` is a file."""
_LOCAL: Final = re.compile(rf"[0-9{_LETTERS}.!$%'*+^_`{{|}}~-]")
"""Without ``/?=&#``, which in practice stand before an address in the address of a page."""
_MARKS: Final = ".'`*~{|"
"""What may stand around an address rather than in it."""
_LONGEST_QUOTED: Final = 64


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where in *text* e-mail addresses are.

    Linear: what is before an ``@`` is read up to the one before, and what follows up to the next.
    """
    begin = 0
    for found in _ADDRESS.finditer(text):
        at = found.start()
        # What follows an address at once goes with it.
        if (start := _start(text, begin, at)) < at or at == begin:
            yield start, found.end()
        begin = found.end()


def _start(text: str, begin: int, at: int) -> int:
    """Return where the part before the ``@`` *at* begins, not before *begin*."""
    start = at
    if start > begin and text[start - 1] == '"':
        quote = text.find('"', max(begin, start - 2 - _LONGEST_QUOTED), start - 1)
        return quote if quote >= 0 else at
    while start > begin and _LOCAL.match(text[start - 1]):
        start -= 1
    while start < at and text[start] in _MARKS:
        start += 1
    return start
