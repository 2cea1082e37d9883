"""Find the images that a text shows from files beside it, by the addresses in it.

The service looks for them before the text is read, in bytes that it does not decode; the reader of
the text then finds each by the same path. Nothing here opens a file.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import posixpath
import re
from typing import Final
from urllib.parse import unquote, unquote_to_bytes, urlsplit

FILES: Final = 60
"""Files beside a text that are looked for."""
_LENGTH: Final = 300
_LOOKS: Final = 2_000
"""Endings of such names that are looked at: what a stranger wrote may be nothing else."""
_ENDING: Final = re.compile(rb"\.(?:png|jpe?g|gif|webp)(?![\w.-])", re.I)
_BEFORE: Final = tuple(bytes([sign]) for sign in b"\"'()<>[]:=\r\n")
_INLINE: Final = re.compile(r"data:image/[\w.+-]{1,40};base64,", re.I)


def named_in(text: bytes) -> list[str]:
    """Return the paths of images that *text* may show, relative to it, in their order."""
    found: dict[str, None] = {}
    for ending in itertools.islice(_ENDING.finditer(text), _LOOKS):
        before = text[max(0, ending.start() - _LENGTH) : ending.start()]
        address = before[1 + max(before.rfind(sign) for sign in _BEFORE) :] + ending[0]
        path = path_of(address.decode(errors="replace"))
        if path:
            found[path] = None
        if len(found) == FILES:
            break
    return list(found)


def path_of(address: str) -> str:
    """Return the path of a file at or below where the text lies, "" for any other *address*."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme or parts.netloc or not path or "\\" in path or "\x00" in path:
        return ""
    path = posixpath.normpath(path)
    names = path.split("/")
    # A name that begins with a dot is hidden, or the folder above.
    return "" if path.startswith("/") or any(name.startswith(".") for name in names) else path


def inline(address: str, most: int) -> bytes:
    """Return the image that a ``data:`` address holds, b"" for any other, or over *most* bytes."""
    found = _INLINE.match(address)
    if found is None or len(address) - found.end() > most * 3 // 2:
        return b""
    try:
        return base64.b64decode(unquote_to_bytes(address[found.end() :]))
    except (binascii.Error, ValueError):
        return b""
