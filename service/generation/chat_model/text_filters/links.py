"""Take out the links and images of a model's text that stand in nothing that it was given.

An order that is planted in a document or a page may make a model write an address that carries the
conversation away: an image does so as soon as it is shown (OWASP LLM05:2025, improper output
handling). What is left of a link is its label, and of a bare address an ellipsis.

A machine without I/O; how the text was cut into pieces changes nothing. From where a link may begin
the text is held back until it is one or is none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import unquote

_REMOVED: Final = "…"
_ADDRESS: Final = r"(?:(?:https?|ftp|wss?)://|www\.)"
_BARE: Final = re.compile(rf"{_ADDRESS}[^\s<>\"`´“”「」（）【】\\^{{|}}]*", re.IGNORECASE)
_TRIGGER: Final = re.compile(rf"!?\[|<(?=[a-z/!?]|$)|{_ADDRESS}", re.IGNORECASE)
_BEGINS_TRIGGER: Final = re.compile(
    r"(?:!|<|h(?:t(?:t(?:ps?(?::/?)?)?)?)?|f(?:t(?:p(?::/?)?)?)?|w(?:ss?(?::/?)?)?|ww?w?)$",
    re.IGNORECASE,
)
"""What may become a trigger when more text comes."""
_AUTOLINK: Final = re.compile(r"<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?([a-z][a-z0-9-]*)\b[^<>]*>|<[!?][^<>]*>", re.IGNORECASE)
_LOADS: Final = re.compile(
    r"</?(?:a|applet|area|audio|base|body|button|embed|form|frame|frameset|html|iframe|image|img"
    r"|input|link|math|meta|object|picture|script|source|style|svg|template|track|video)(?![\w-])",
    re.IGNORECASE,
)
"""Tags that load something, or lead somewhere, or change what other tags mean."""
_BRACKET: Final = {"[]": re.compile(r"[\[\]\\]|\n\n"), "()": re.compile(r"[()\\]|\n\n")}
_DESTINATION: Final = re.compile(r"\s*(?:<([^<>\n]*)>|(\S*))(?:\s+.*)?", re.DOTALL)
_CLOSING: Final = ".,;:!?'*_~"
"""Punctuation at the end of an address that belongs to the sentence."""
_LONGEST: Final = 2_000
"""Characters that are held back: what is longer is no link, and its address is taken out alone."""
_LONGEST_TAG: Final = 300
"""Characters after which something less than something else is held to be just that."""
_DEEPEST: Final = 8
"""Brackets within brackets: more are no label, and would take long to read."""
_UNTAG: Final = "‹"
_NEVER: Final = -1


class _Read(NamedTuple):
    text: str
    end: int


class LinkFilter:
    """Passes a text on without the links and images that none of some *texts* has."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)
        self._known: frozenset[str] | None = None
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        if not self._held and not _TRIGGER.search(text) and not _BEGINS_TRIGGER.search(text):
            return text
        self._held += text
        return self._pass(last=False)

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        return self._pass(last=True)

    def _pass(self, *, last: bool) -> str:
        told, self._held = self._read(self._held, last=last)
        return told

    def _read(self, text: str, *, last: bool) -> tuple[str, str]:
        """Return what is certain of *text*, and the rest."""
        told, at = list[str](), 0
        while (found := _TRIGGER.search(text, at)) is not None:
            told.append(text[at : found.start()])
            at = found.start()
            is_last = last or len(text) - at > _LONGEST
            if (read := self._construct(text, found, last=is_last)) is None:
                return "".join(told), text[at:]
            told.append(read.text)
            at = read.end
        begins = None if last else _BEGINS_TRIGGER.search(text, at)
        end = begins.start() if begins else len(text)
        told.append(text[at:end])
        return "".join(told), text[end:]

    def _construct(self, text: str, found: re.Match[str], *, last: bool) -> _Read | None:
        """Return what is told of what begins at *found*; None where that needs more text."""
        match found[0][0]:
            case "!" | "[":
                return self._link(text, found.start(), found.end(), last=last)
            case "<":
                return self._tag(text, found.start(), last=last)
            case _:
                return self._bare(text, found.start(), last=last)

    def _bare(self, text: str, start: int, *, last: bool) -> _Read | None:
        found = _BARE.match(text, start)
        if found is None:
            return _Read(text[start : start + 1], start + 1)
        if found.end() == len(text) and not last:
            return None
        address = found[0].rstrip(_CLOSING)
        # A bracket that the address did not open belongs to the sentence.
        for opening, closing in ("()", "[]"):
            while address.endswith(closing) and address.count(closing) > address.count(opening):
                address = address[:-1].rstrip(_CLOSING)
        kept = address if self._is_known(address) else _REMOVED
        return _Read(kept, start + len(address))

    def _link(self, text: str, start: int, opened: int, *, last: bool) -> _Read | None:
        """Read ``[label](destination)`` or an image; any other bracket is text."""
        as_text = _Read(text[start:opened], opened)
        close = _closing(text, opened, "[]")
        if close is None and not last:
            return None
        if close is None or close == _NEVER:
            return as_text
        if close + 1 == len(text) and not last:
            return None
        if text[close + 1 : close + 2] != "(":
            return as_text
        end = _closing(text, close + 2, "()")
        if end is None and not last:
            return None
        if end is None or end == _NEVER:
            return as_text
        label, _ = self._read(text[opened:close], last=True)
        destination = _DESTINATION.fullmatch(text, close + 2, end)
        address = destination and (destination[1] or destination[2])
        if not address or not self._is_known(address):
            return _Read(f"[{label}]" if label.isdecimal() else label, end + 1)
        return _Read(f"{text[start:opened]}{label}{text[close : end + 1]}", end + 1)

    def _tag(self, text: str, start: int, *, last: bool) -> _Read | None:
        """Read an autolink or a tag; a tag may load what its attributes name."""
        if (found := _AUTOLINK.match(text, start)) is not None:
            return _Read(found[0] if self._is_known(found[1]) else _REMOVED, found.end())
        if (found := _TAG.match(text, start)) is not None:
            tag = found[0]
            is_plain = tag[1] not in "!?" and "=" not in tag and not _LOADS.match(tag)
            is_kept = is_plain or any(tag in each for each in self._texts)
            return _Read(tag if is_kept else "", found.end())
        loads = _LOADS.match(text, start)
        longest = _LONGEST if loads else _LONGEST_TAG
        is_open = len(text) - start <= longest and "<" not in text[start + 1 :]
        if is_open and not last:
            return None
        # A browser would look for the end of a tag without one in whatever follows the text.
        return _Read(_UNTAG if loads else "<", start + 1)

    def _is_known(self, address: str) -> bool:
        if self._known is None:
            self._known = frozenset(_addresses(self._texts))
        return _plain(address) in self._known


def _closing(text: str, at: int, pair: str) -> int | None:
    """Return where the bracket closes that is open before *at*; None where the text is too short.

    A blank line ends a label; it and what is too long or too deep is `_NEVER` one.
    """
    depth, escaped = 1, -1
    for found in _BRACKET[pair].finditer(text, at, at + _LONGEST):
        if found.start() == escaped:
            continue
        match found[0]:
            case "\\":
                escaped = found.end()
            case "\n\n":
                return _NEVER
            case bracket:
                depth += 1 if bracket == pair[0] else -1
        if not depth:
            return found.start()
        if depth > _DEEPEST:
            return _NEVER
    return _NEVER if len(text) - at > _LONGEST else None


def _addresses(texts: Iterable[str]) -> Iterable[str]:
    """Yield the addresses in *texts*, whatever stands around them, as `_plain` writes them."""
    for text in texts:
        for found in _BARE.finditer(text):
            address = found[0]
            # What ends it there is not certain: each reading that ends in punctuation counts.
            while address:
                yield _plain(address)
                shorter = address.rstrip(f"{_CLOSING})]")
                address = shorter if shorter != address else address[:0]


def _plain(address: str) -> str:
    """Write *address* so that the same one is written alike; its parameters are as they are."""
    plain = html.unescape(unquote(address)).strip()
    scheme, separator, rest = plain.partition("://")
    if not separator:
        scheme, rest = "", plain
    host, slash, path = rest.partition("/")
    is_web = scheme.lower() in {"", "http", "https"}
    return f"{'' if is_web else scheme.lower()}:{host.lower()}{slash}{path}".rstrip("/#")
