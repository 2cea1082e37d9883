"""Read the spellings of scalars that ProtoJSON allows beside the canonical one."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import enum
import re
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec

from sessions.resources.base import Timestamp

_WHOLE: Final = re.compile(r"-?[0-9]{1,40}(?:\.0{1,40})?")
_NUMBER: Final = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,5})?")
_DURATION: Final = re.compile(r"(-?[0-9]{1,12})(?:\.([0-9]{0,9}))?s")


class Misread(Exception):
    """A value cannot be read; *path* grows from the inside out while the readers unwind."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def within(self, outer: str) -> Misread:
        """Return the same as seen from outside: from the field, key or ``[index]`` *outer*."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return Misread(self.message, f"{outer}{joint}{self.path}")


class Ignoring(enum.IntEnum):
    """What of an input is passed over in silence."""

    NOTHING = 0
    FIELDS = 1
    """Fields that are unknown."""
    FIELDS_AND_VALUES = 2
    """Also enum values that are unknown: what a newer version has stored still reads."""


Reader = Callable[[Any, Ignoring], Any]
"""Turns a plain value into the typed one, or raises `Misread`."""


def wrong(wanted: str, value: Any) -> Misread:
    """Return what to say where *wanted* was expected and *value* given."""
    kinds = {bool: "a boolean", str: "a string", list: "a list", dict: "an object"}
    given = "null" if value is None else kinds.get(cast(type[Any], type(value)), "a number")
    return Misread(f"expected {wanted}, not {given}")


def struct(value: Any, _: Ignoring) -> dict[str, Any]:
    """Read a JSON object and leave it alone."""
    if not isinstance(value, dict):
        raise wrong("an object", value)
    return cast(dict[str, Any], value)


def anything(value: Any, _: Ignoring) -> Any:
    """Read any JSON value and leave it alone."""
    return value


def text(value: Any, _: Ignoring) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise wrong("a string", value)
    return value


def boolean(value: Any, _: Ignoring) -> bool:
    """Read ``true`` or ``false``, in no other spelling."""
    if not isinstance(value, bool):
        raise wrong("true or false", value)
    return value


def int32(value: Any, _: Ignoring) -> int:
    """Read an int32: a number, ``3.0``, or either as a string."""
    return _whole(value, 31)


def int64(value: Any, _: Ignoring) -> str:
    """Read an int64 in the same spellings; inside it is a decimal string."""
    return str(_whole(value, 63))


def double(value: Any, _: Ignoring) -> float:
    """Read a finite number, or one as a string."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise wrong("a number", value)
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise Misread("expected a number; NaN and infinities are not accepted")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number in (float("inf"), float("-inf")):
        raise Misread("the number is out of range; a double reaches to about 1.8e308")
    return number


def octets(value: Any, ignoring: Ignoring) -> bytes:
    """Read base64, standard or URL-safe, padded or not."""
    plain = text(value, ignoring).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Misread("expected bytes in base64") from None


def timestamp(value: Any, ignoring: Ignoring) -> dt.datetime:
    """Read a time of RFC 3339 with ``Z`` or an offset; finer digits are rounded."""
    try:
        return msgspec.convert(text(value, ignoring), Timestamp).astimezone(dt.UTC)
    except OverflowError:
        raise Misread("the time lies outside the years 1 to 9999") from None
    except (msgspec.ValidationError, ValueError):
        raise Misread("expected a time such as 2026-01-31T08:30:00Z") from None


def duration(value: Any, ignoring: Ignoring) -> str:
    """Read seconds with up to nine fraction digits and ``s``; inside there are 0, 3, 6 or 9."""
    parts = _DURATION.fullmatch(text(value, ignoring))
    if parts is None:
        raise Misread("expected a duration such as 3.5s")
    fraction = (parts[2] or "").rstrip("0")
    fraction = fraction.ljust(-(-len(fraction) // 3) * 3, "0")
    return f"{parts[1]}.{fraction}s" if fraction else f"{parts[1]}s"


def _whole(value: Any, bits: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif isinstance(value, str) and _WHOLE.fullmatch(value):
        value = int(value.partition(".")[0])
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong("a whole number", value)
    if not -(2**bits) <= value < 2**bits:
        raise Misread(f"the number is out of range; an int{bits + 1} is at most 2^{bits} - 1")
    return value
