"""Read and write resources as ProtoJSON, the JSON format of the Protocol Buffers documentation.

Canonical JSON takes the short way through one msgspec decoder for each type. Whatever that refuses
takes the tolerant way of `sessions.codec.tolerant_readers`, which reads the other spellings or says
what is wrong; so the price of tolerance is paid by those who need it.
"""

from __future__ import annotations

import functools
import logging
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from sessions.codec import scalar_readers, tolerant_readers
from sessions.codec.scalar_readers import Ignoring, Misread, Reader
from sessions.errors import Internal, InvalidArgument
from sessions.resources.base import Struct

MAX_DEPTH: Final = 64
"""How deep objects and lists may be nested in a request."""
MAX_VALUES: Final = 100_000
"""How many values a request may have: each takes memory, and a time that nothing else runs in."""

STANDARD_PARAMETERS: Final = frozenset(
    {"alt", "key", "fields", "prettyPrint", "quotaUser", "access_token"}
)
"""The system parameters of Google APIs, ignored unless the request has such a field."""

T = TypeVar("T", bound=msgspec.Struct)
Read = TypeVar("Read")

_log = logging.getLogger(__name__)

_NAMES: Final = msgspec.json.Encoder(enc_hook=operator.attrgetter("name"))
_NUMBERS: Final = msgspec.json.Encoder(enc_hook=operator.attrgetter("number"))
_LEVELS: Final = bytes.maketrans(b"{}", b"[]")
_INK: Final = bytes(byte for byte in range(256) if byte not in b'{}[]"')
_NO_VALUES: Final = bytes(byte for byte in range(256) if byte not in b'{[,"')


def decode(type_: type[T], data: bytes, *, ignore_unknown: bool = False) -> T:
    """Read a request body; an empty one is ``{}``.

    Raises:
        InvalidArgument: it is not JSON, or not such a message; the field is named by its path.
    """
    data = data.strip() or b"{}"
    check_values(data)
    try:
        value = _decoder(type_).decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        ignoring = Ignoring.FIELDS if ignore_unknown else Ignoring.NOTHING
        return _refusing(tolerant_readers.reader(type_), _plain(data), ignoring)
    _check_depth(data)
    return value


def present(type_: type[msgspec.Struct], data: bytes) -> frozenset[str]:
    """Return the attributes of *type_* that a body, already decoded, sets (`field_masks`)."""
    fields = tolerant_readers.message(type_).fields
    body: dict[str, Any] = msgspec.json.decode(data.strip() or b"{}")
    return frozenset(
        fields[key].name for key, value in body.items() if key in fields and value is not None
    )


def from_query(type_: type[T], items: Iterable[tuple[str, str]], /, **path_fields: object) -> T:
    """Build a request from its query parameters and what the path and the body gave.

    Nested fields are joined by dots, repeated ones repeat the key, and an empty value of
    anything but a string is absent, as ``google.api.http`` maps query parameters.

    Raises:
        InvalidArgument: a parameter is unknown, wrong, or already part of the path.
    """
    message = tolerant_readers.message(type_)
    tree: dict[str, Any] = {}
    for key, value in items:
        head = message.fields.get(key.partition(".")[0])
        if head is None and (key in STANDARD_PARAMETERS or key.startswith("$")):
            continue
        if head is not None and head.name in path_fields:
            taken = "the field is part of the path or the body; leave it out"
            raise _invalid(Misread(taken, head.json_name))
        try:
            _place(message, key, value, tree)
        except Misread as exc:
            raise _invalid(exc) from None

    def read(value: Any, ignoring: Ignoring) -> T:
        members = message.members(value, ignoring) if value else {}
        return message.build({**members, **path_fields})

    return _refusing(read, tree, Ignoring.NOTHING)


def encode(value: object, *, numbers: bool = False) -> bytes:
    """Write *value* for a client, its enums by name or by number (guide/rest.md)."""
    return (_NUMBERS if numbers else _NAMES).encode(value)


def dump(value: object) -> bytes:
    """Write *value* for Redis."""
    return _NAMES.encode(value)


def load(type_: type[T], data: bytes) -> T:
    """Read what `dump` wrote, in this version of the service or in another.

    Fields and enum values that this version does not know are passed over.

    Raises:
        Internal: what is stored is damaged.
    """
    try:
        return _decoder(type_).decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        pass
    try:
        return tolerant_readers.reader(type_)(msgspec.json.decode(data), Ignoring.FIELDS_AND_VALUES)
    except (msgspec.DecodeError, ValueError, RecursionError, Misread) as exc:
        raise Internal(
            f"a stored {type_.__name__} cannot be read", reason="STORED_DOCUMENT_DAMAGED"
        ) from exc


def load_all(type_: type[T], data: Sequence[bytes]) -> tuple[T, ...]:
    """Read several, as `load` reads each; at once, which takes half the time."""
    try:
        return _decoder(tuple[type_, ...]).decode(b"[%b]" % b",".join(data))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return tuple(load(type_, each) for each in data)


def undamaged(name: str, read: Callable[[], Read]) -> Read | None:
    """Return what *read* reads of the stored *name*, or say in the log that it is damaged.

    For whoever reads many: one that is damaged must not take the others with it.
    """
    try:
        return read()
    except Internal:
        _log.warning("resource_damaged", extra={"resource": name})
        return None


def pack(value: msgspec.Struct, message: str) -> Struct:
    """Return *value* as a google.protobuf.Any; *message* is its full name in the documents."""
    return {"@type": f"type.googleapis.com/{message}", **msgspec.json.decode(dump(value))}


def one_line(data: bytes) -> bytes:
    """Escape in JSON what some readers of event streams take for the end of a line."""
    for mark in ("\u2028", "\u2029", "\u0085"):
        data = data.replace(mark.encode(), f"\\u{ord(mark):04x}".encode())
    return data


@functools.cache
def _decoder(type_: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


def _plain(data: bytes) -> Any:
    """Parse *data* without a type."""
    try:
        value = msgspec.json.decode(data)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, ValueError) as exc:
        raise InvalidArgument(
            f"the body is not JSON; send one object, in UTF-8: {exc}", reason="MALFORMED_JSON"
        ) from exc
    _check_depth(data)
    return value


def check(data: bytes) -> None:
    """Refuse valid JSON that no request may hold: decoded, it would take memory without measure.

    Raises:
        InvalidArgument: it has more than `MAX_VALUES` values or is nested deeper than `MAX_DEPTH`.
    """
    check_values(data)
    _check_depth(data)


def _check_depth(data: bytes) -> None:
    """Refuse the valid JSON *data* where it is nested deeper than `MAX_DEPTH`.

    Every step runs in C over the whole of it: the innermost pairs of brackets are cut out, level by
    level.
    """
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return
    levels = _bare(data, _INK).translate(_LEVELS)
    for _ in range(MAX_DEPTH):
        levels = levels.replace(b"[]", b"")
        if not levels:
            return
    raise _too_deep()


def check_values(data: bytes) -> None:
    """Refuse JSON *data* of more than about `MAX_VALUES` values, before any of them is built.

    Raises:
        InvalidArgument: it has more; whether it is JSON at all is for the decoder to say.
    """
    if len(data) <= MAX_VALUES or sum(map(data.count, (b"{", b"[", b","))) <= MAX_VALUES:
        return
    if len(_bare(data, _NO_VALUES)) > MAX_VALUES:
        raise InvalidArgument(
            f"the body has more than {MAX_VALUES:,} values; send fewer at once",
            reason="TOO_MANY_VALUES",
        )


def _bare(data: bytes, ink: bytes) -> bytes:
    """Return what stands outside the strings of the JSON *data*, without the bytes *ink*.

    Every step runs in C. Of a string only what is no ink is looked at: the others are empty.
    """
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    bare = data.translate(None, ink).replace(b'""', b"")
    return b"".join(bare.split(b'"')[::2]) if b'"' in bare else bare


def _too_deep() -> InvalidArgument:
    return InvalidArgument(
        f"the body is nested deeper than {MAX_DEPTH} levels; flatten it", reason="TOO_DEEP"
    )


def _refusing(read: Reader, value: Any, ignoring: Ignoring) -> Any:
    try:
        return read(value, ignoring)
    except Misread as exc:
        raise _invalid(exc) from None


def _invalid(exc: Misread) -> InvalidArgument:
    where = f"{exc.path}: " if exc.path else ""
    return InvalidArgument(f"{where}{exc.message}", field=exc.path)


def _place(
    message: tolerant_readers.MessageReader, key: str, value: str, into: dict[str, Any]
) -> None:
    """Put the query parameter *key* where it belongs in the JSON tree *into*."""
    name, _, rest = key.partition(".")
    field = message.fields.get(name)
    if field is None:
        raise message.unknown(name)
    read = field.read
    if isinstance(read, tolerant_readers.MessageReader) and rest:
        try:
            _place(read, rest, value, into.setdefault(field.json_name, {}))
        except Misread as exc:
            raise exc.within(field.json_name) from None
    elif isinstance(read, tolerant_readers.MapReader) and rest:
        into.setdefault(field.json_name, {})[rest] = value
    elif rest:
        raise Misread("the field has no fields of its own", field.json_name)
    elif isinstance(read, tolerant_readers.ListReader):
        into.setdefault(field.json_name, []).append(_leaf(read.read, value))
    elif isinstance(read, tolerant_readers.MessageReader | tolerant_readers.MapReader):
        raise Misread("give its fields as parameters of their own, joined by dots", field.json_name)
    elif field.json_name in into:
        raise Misread("the parameter is given twice", field.json_name)
    elif value or read is scalar_readers.text:
        into[field.json_name] = _leaf(read, value)


def _leaf(read: Reader, value: str) -> str | bool:
    if read is scalar_readers.boolean and value in ("true", "false"):
        return value == "true"
    return value
