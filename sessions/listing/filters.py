r"""Read the filter of a list request, the small grammar of api.md 5.2.

::

    filter = term { ("AND" | ",") term | "OR" term }      AND binds tighter than OR
    term   = ["NOT" | "-"] ( "(" filter ")" | field op value )
    op     = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":"
    value  = bare word | "double-quoted, \" escapes" | * (is set)

What can be compared with what is the business of a `Field`. Text and enum names know ``=``,
``!=`` and ``:`` (equals), a list only ``:`` (contains), times everything but ``:``.
"""

from __future__ import annotations

import datetime as dt
import enum
import operator
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Generic, NamedTuple, NoReturn, TypeVar, cast

import msgspec

from sessions.errors import InvalidArgument

Row = TypeVar("Row")
Test = Callable[[Row], bool]

MAX_LENGTH: Final = 4096
"""Characters of a filter; more is refused."""
MAX_DEPTH: Final = 20
"""Parentheses within parentheses; more is refused."""

_TOKEN: Final = re.compile(
    r"""\s*(?: "(?P<quoted>(?:[^"\\]|\\.)*)" | (?P<op><=|>=|!=|=|<|>|:) | (?P<mark>[(),])
            | (?P<minus>-)(?=\s*[A-Za-z(]) | (?P<word>[^\s"(),=<>!:]+) )""",
    re.VERBOSE | re.DOTALL,
)
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    ":": operator.eq,
}


class Value(enum.Enum):
    """What a field holds."""

    TEXT = enum.auto()
    BOOL = enum.auto()
    LIST = enum.auto()
    TIME = enum.auto()


_OPERATORS: Final[Mapping[Value, frozenset[str]]] = {
    Value.TEXT: frozenset({"=", "!=", ":"}),
    Value.BOOL: frozenset({"=", "!=", ":"}),
    Value.LIST: frozenset({":"}),
    Value.TIME: frozenset({"=", "!=", "<", "<=", ">", ">="}),
}


class FilterField(msgspec.Struct, Generic[Row], frozen=True):
    """A field that filters may name: what it holds and how a row gives its value.

    Text that is not set is ``""``, a list that is not set is empty, a time ``None``. Where *names*
    are given, text and lists hold nothing else: a filter for another would silently find nothing.
    """

    holds: Value
    value: Callable[[Row], object]
    names: Collection[str] = ()


class ListFilter(NamedTuple, Generic[Row]):
    """A filter that was read.

    Every row that matches has, in each field of *required*, exactly the text given there; an
    index on such a field may find the candidates.
    """

    matches: Test[Row]
    required: Mapping[str, str]


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse(text: str, fields: Mapping[str, FilterField[Row]]) -> ListFilter[Row] | None:
    """Read *text*, whose names are keys of *fields* in snake_case or camelCase.

    Returns ``None`` where the filter is empty and so everything matches.

    Raises:
        InvalidArgument: (``filter``) syntax, unknown field, an operator that the field does not
            know, or a value that is not of its kind.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"filter: at most {MAX_LENGTH} characters", field="filter")
    if not text.strip():
        return None
    return _Parser(_tokens(text), fields).whole()


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found or not found.lastgroup:
            _refuse(f"cannot read it from character {end - len(text[at:end].lstrip()) + 1}")
        start = found.end() - len(found[0].lstrip())
        tokens.append(_Token(found.lastgroup, found[found.lastgroup], start))
        at = found.end()
    tokens.append(_Token("end", "", end))
    return tokens


class _Parser(Generic[Row]):
    """One pass over the tokens, a method per rule of the grammar."""

    def __init__(self, tokens: list[_Token], fields: Mapping[str, FilterField[Row]]) -> None:
        self._tokens = tokens
        self._fields = fields
        self._next = 0
        self._depth = 0

    def whole(self) -> ListFilter[Row]:
        parsed = self._filter()
        if self._peek().kind != "end":
            self._unexpected("AND, OR or the end")
        return parsed

    def _filter(self) -> ListFilter[Row]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            _refuse(f"at most {MAX_DEPTH} parentheses within each other")
        parsed = self._all()
        while self._take("word", "OR"):
            parsed = _either(parsed, self._all())
        self._depth -= 1
        return parsed

    def _all(self) -> ListFilter[Row]:
        parsed = self._term()
        while self._take("word", "AND") or self._take("mark", ","):
            parsed = _both(parsed, self._term())
        return parsed

    def _term(self) -> ListFilter[Row]:
        if self._take("word", "NOT") or self._take("minus", "-"):
            return _negated(self._plain())
        return self._plain()

    def _plain(self) -> ListFilter[Row]:
        if self._take("mark", "("):
            parsed = self._filter()
            if not self._take("mark", ")"):
                self._unexpected("')'")
            return parsed
        name, op, value = self._read("word"), self._read("op"), self._value()
        snake = re.sub("([A-Z])", lambda upper: f"_{upper[1].lower()}", name.text)
        if snake not in self._fields:
            known = ", ".join(sorted(self._fields))
            _refuse(f"there is no field '{name.text[:50]}' to filter by; there are {known}")
        return _restriction(snake, self._fields[snake], op.text, value)

    def _value(self) -> _Token:
        if self._peek().kind == "minus":  # the sign of a bare word, not a negation
            sign = self._read("minus")
            return _Token("word", sign.text + self._read("word").text, sign.at)
        if self._peek().kind == "quoted":
            token = self._read("quoted")
            return token._replace(text=re.sub(r"\\(.)", r"\1", token.text, flags=re.DOTALL))
        return self._read("word")

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _read(self, kind: str) -> _Token:
        token = self._peek()
        if token.kind != kind or (kind == "word" and token.text in {"AND", "OR", "NOT"}):
            self._unexpected({"word": "a name or value", "op": "a comparison"}.get(kind, kind))
        self._next += 1
        return token

    def _take(self, kind: str, text: str) -> bool:
        token = self._peek()
        found = token.kind == kind and token.text == text
        self._next += found
        return found

    def _unexpected(self, wanted: str) -> NoReturn:
        _refuse(f"character {self._peek().at + 1}: expected {wanted}")


def _restriction(name: str, field: FilterField[Row], op: str, value: _Token) -> ListFilter[Row]:
    holds, get = field.holds, field.value
    if value.kind == "word" and value.text == "*" and op in {"=", ":", "!="}:
        return ListFilter(_set(get, op != "!="), {})
    if op not in _OPERATORS[holds]:
        _refuse(f"'{op}' does not apply to {name}")
    if field.names and value.text not in field.names:
        _refuse(f"{name} is one of {', '.join(field.names)}")
    if holds is Value.LIST:
        return ListFilter(_contains(get, value.text), {})
    if holds is Value.TEXT:
        required = {name: value.text} if op != "!=" else {}
        return ListFilter(_compares(get, _COMPARE[op], value.text), required)
    limit = _boolean(name, value.text) if holds is Value.BOOL else _time(name, value.text)
    return ListFilter(_compares(get, _COMPARE[op], limit), {})


def _set(get: Callable[[Row], object], wanted: bool) -> Test[Row]:
    def test(row: Row) -> bool:
        return (get(row) not in (None, "", False, ())) == wanted

    return test


def _contains(get: Callable[[Row], object], element: str) -> Test[Row]:
    def test(row: Row) -> bool:
        return element in _elements(get(row))

    return test


def _compares(
    get: Callable[[Row], object], compare: Callable[[Any, Any], bool], limit: object
) -> Test[Row]:
    def test(row: Row) -> bool:
        value = get(row)
        return value is not None and compare(value, limit)

    return test


def _elements(value: object) -> Collection[object]:
    return cast("Collection[object]", value) if isinstance(value, (tuple, frozenset)) else ()


def _boolean(name: str, text: str) -> bool:
    if text not in {"true", "false"}:
        _refuse(f"{name} is true or false")
    return text == "true"


def _time(name: str, text: str) -> dt.datetime:
    try:
        at = msgspec.convert(text, dt.datetime)
    except msgspec.ValidationError:
        at = None
    if at is None or at.tzinfo is None:
        _refuse(f'{name} compares with an RFC 3339 time in quotes, "2026-01-31T12:00:00Z"')
    return at


def _both(left: ListFilter[Row], right: ListFilter[Row]) -> ListFilter[Row]:
    def test(row: Row) -> bool:
        return left.matches(row) and right.matches(row)

    return ListFilter(test, {**left.required, **right.required})


def _either(left: ListFilter[Row], right: ListFilter[Row]) -> ListFilter[Row]:
    def test(row: Row) -> bool:
        return left.matches(row) or right.matches(row)

    return ListFilter(test, dict(left.required.items() & right.required.items()))


def _negated(inner: ListFilter[Row]) -> ListFilter[Row]:
    def test(row: Row) -> bool:
        return not inner.matches(row)

    return ListFilter(test, {})


def _refuse(message: str) -> NoReturn:
    raise InvalidArgument(f"filter: {message}", field="filter")
