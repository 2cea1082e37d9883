"""Find the sentences of a text, whatever its language, without changing a character of it.

Full stops are judged by sentencex (abbreviations of some 240 languages, CJK, quotes); what a line
break means is judged here: it ends a sentence unless it only wraps a paragraph. Where sentencex
fails, plain punctuation decides.
"""

from __future__ import annotations

import contextlib
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

import sentencex  # pyright: ignore[reportMissingTypeStubs] - a native module without types

from service.native_calls import SENTENCEX, NativeFault

_MARKER: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,3}|[A-Za-z])[.)]|#{1,6}|>)\s+")
_LINE: Final = re.compile(r"[^\r\n\f\v\x85\u2028\u2029]+")
_ENDS: Final = tuple(".!?。！？…:;：；")
_SEPARATED: Final = re.compile(r"\s|[。！？…；”」』]|.\s", re.DOTALL)
"""What stands around the place where one sentence ends and another begins."""
_STOP: Final = re.compile(r"[.!?]")
_PATH: Final = re.compile(r"[^.!?:;…]\s[▸▶►→›»‣➔➜➤]\s\Z")
"""What stands between the names of menus, one of which opens in the other."""
_INITIAL: Final = re.compile(r"[^\W\d_]\.\s*")
_WIDE_SPACE: Final = re.compile(r"[^\S\x00-\x7f]")
"""White space of more than one byte: sentencex takes it for one byte before an initial, and panics
(``A``, no-break space, ``.``). A plain space in its place changes no offset."""
_PLAIN_END: Final = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？]+[」』”’）]*\s*")
_boundaries: Final = cast(
    "Callable[[str, str], list[dict[str, Any]]]",
    sentencex.get_sentence_boundaries,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
)
_LONGEST_WORD: Final = 20
"""What is longer and not ASCII is taken for a script that writes no spaces and breaks anywhere."""
_WINDOW: Final = 4_000
_WRAPPED_WITHIN: Final = range(40, 161)
"""A paragraph is taken for hard-wrapped when its longest line has this many characters."""


def spans(text: str, language: str = "") -> list[tuple[int, int]]:
    """Return the sentences of *text* as half-open character offsets, in order, without overlap.

    A heading, a list item, a table row and a line of code end where their line ends. No span is
    empty or begins or ends with white space; only white space lies between them. *language* is a
    BCP 47 tag, a hint for abbreviations; "" works for all.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        found.extend(_sentences(text, start, end, language or "en"))
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines that belong together: whole paragraphs, or single lines."""
    for run in _runs(text):
        width = max(end - start for start, end in run)
        first = 0
        for at in range(1, len(run)):
            if not _wraps(text, run[at - 1], run[at], width):
                yield run[first][0], run[at - 1][1]
                first = at
        yield run[first][0], run[-1][1]


def _runs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the lines between blank ones, each without the white space around it."""
    run: list[tuple[int, int]] = []
    last = 0
    for line in _LINE.finditer(text):
        whole = line[0]
        stripped = whole.strip()
        if run and (not stripped or text.count("\n", last, line.start()) > 1):
            yield run
            run = []
        last = line.end()
        if stripped:
            start = line.start() + len(whole) - len(whole.lstrip())
            run.append((start, start + len(stripped)))
    if run:
        yield run


def _wraps(text: str, line: tuple[int, int], after: tuple[int, int], width: int) -> bool:
    """Tell whether the break between two lines only wraps their paragraph.

    It does where the next word had no room left, as an editor or a PDF breaks lines.
    """
    if width not in _WRAPPED_WITHIN or text.startswith(_ENDS, line[1] - 1):
        return False
    if _MARKER.match(text, *after) or "|" in text[slice(*line)] or "\t" in text[slice(*line)]:
        return False
    head = text[slice(*after)].split(maxsplit=1)[0]
    spaced = head.isascii() or len(head) <= _LONGEST_WORD
    return line[1] - line[0] + (len(head) + 1 if spaced else 1) > width


def _sentences(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of one paragraph; a list marker belongs to the first."""
    marker = _MARKER.match(text, start, end)
    body = marker.end() if marker else start
    pending = start
    for cut in _cuts(text[body:end], language):
        stop = body + cut
        if stop < end and (
            _INITIAL.fullmatch(text, max(pending, body), stop)  # "M. Dupont" is one sentence
            or not _SEPARATED.match(text, stop - 1)  # so is "run ./dev"
            or _PATH.match(
                text, max(stop - 2, 0), stop + 2
            )  # and "Edit ▸ Copy", whose sign is no bullet
        ):
            continue
        stripped = text[pending:stop].strip()
        if stripped:
            pending += len(text[pending:stop]) - len(text[pending:stop].lstrip())
            yield pending, pending + len(stripped)
        pending = stop


def _cuts(paragraph: str, language: str) -> Iterator[int]:
    """Yield where the sentences of *paragraph* end, white space after them included.

    A long one is given to sentencex in windows, since what it takes grows faster than the text;
    each window begins with the last sentence of the one before, which may have been cut.
    """
    at = 0
    if not paragraph.isascii():
        paragraph = _WIDE_SPACE.sub(" ", paragraph)
    elif not _STOP.search(paragraph):  # most lines of a list: a native call takes longer than all
        yield len(paragraph)
        return
    while at < len(paragraph):
        window = paragraph[at : at + _WINDOW]
        ends = [at + end for end in _ends(window, language)]
        if at + len(window) < len(paragraph) and len(ends) > 1:
            ends.pop()
        yield from ends
        at = ends[-1]


def _ends(window: str, language: str) -> list[int]:
    """Return where the sentences of *window* end, at least one and the last with it."""
    with contextlib.suppress(NativeFault):
        with SENTENCEX:
            ends = [int(boundary["end_index"]) for boundary in _boundaries(language, window)]
        if ends and ends[-1] == len(window) and all(map(operator.lt, [0, *ends], ends)):
            return ends
    return _plain_ends(window)


def _plain_ends(window: str) -> list[int]:
    ends = [match.end() for match in _PLAIN_END.finditer(window)]
    return ends if ends and ends[-1] == len(window) else [*ends, len(window)]
