r"""Read the filter of a list request: a part of AIP-160, as the guide tells it (filters.md).

::

    condition = field op value                          joined as in `sessions.listing.expressions`,
    op        = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":"      where "," stands for AND, too
    value     = bare word | "double-quoted, \" escapes" | * (is set)

What can be compared with what is the business of a `FilterField`. Text and enum names know ``=``,
``!=`` and ``:`` (equals), a list only ``:`` (contains), times everything but ``:``.
"""

from __future__ import annotations

import datetime as dt
import enum
import re
from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, Final, Generic, NamedTuple, NoReturn, TypeVar, cast

import msgspec

from sessions.errors import InvalidArgument
from sessions.listing.expressions import COMPARISONS, ExpressionParser, unquoted
from sessions.listing.page_requests import snake

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
    return _Parser(text, fields).whole()


class _Parser(ExpressionParser[ListFilter[Row]]):
    """Reads a list filter."""

    pattern = _TOKEN
    max_depth = MAX_DEPTH
    conjunctions = (("word", "AND"), ("mark", ","))
    unreadable = "cannot read it from character {character}"
    unexpected = "character {character}: expected {wanted}"
    too_deep = f"at most {MAX_DEPTH} parentheses within each other"
    names: ClassVar = {"word": "a name or value", "op": "a comparison", ")": "')'"}

    def __init__(self, text: str, fields: Mapping[str, FilterField[Row]]) -> None:
        super().__init__(text, "filter")
        self._fields = fields
        if self.tokens[-1].kind == "unreadable":  # told before what is wrong with the rest
            self.refuse(self.unreadable, at=self.tokens[-1])

    def condition(self) -> ListFilter[Row]:
        name, op = self._word(), self.take("op")
        value, is_any = self._value()
        field = self._fields.get(snake(name))
        if field is None:
            known = ", ".join(sorted(self._fields))
            _refuse(f"there is no field '{name[:50]}' to filter by; there are {known}")
        if is_any and op in {"=", ":", "!="}:
            return _tested(
                field.value, lambda held: (held in (None, "", False, ())) == (op == "!=")
            )
        return _restriction(snake(name), field, op, value)

    def _value(self) -> tuple[str, bool]:
        """Read a value; tell whether it is the ``*`` that stands for any."""
        if self.sees("quoted"):
            return unquoted(self.take("quoted")), False
        # The sign of a bare word, not a negation.
        sign = self.take("minus") if self.sees("minus") else ""
        word = sign + self._word()
        return word, word == "*"

    def _word(self) -> str:
        if self.next.text in {"AND", "OR", "NOT"}:
            self.refuse(self.unexpected, "word")
        return self.take("word")

    def joined(self, operator: str, terms: list[ListFilter[Row]]) -> ListFilter[Row]:
        tests = [term.matches for term in terms]
        decides = operator == "OR"

        def matches(row: Row) -> bool:
            for test in tests:  # all() and any() take twice as long, for each row of a long list
                if test(row) is decides:
                    return decides
            return not decides

        required = {name: text for term in terms for name, text in term.required.items()}
        if operator == "OR":  # what each of them requires
            for name, text in tuple(required.items()):
                if any(term.required.get(name) != text for term in terms):
                    del required[name]
        return ListFilter(matches, required)

    def negated(self, term: ListFilter[Row]) -> ListFilter[Row]:
        return _tested(term.matches, lambda matched: not matched)


def _restriction(name: str, field: FilterField[Row], op: str, value: str) -> ListFilter[Row]:
    if op not in _OPERATORS[field.holds]:
        _refuse(f"'{op}' does not apply to {name}")
    if field.names and value not in field.names:
        _refuse(f"{name} is one of {', '.join(field.names)}")
    if field.holds is Value.LIST:
        return _tested(field.value, lambda held: value in cast("Collection[object]", held))
    limit: object = value
    if field.holds is not Value.TEXT:
        limit = (_boolean if field.holds is Value.BOOL else _time)(name, value)
    compare = COMPARISONS["=" if op == ":" else op]
    tested = _tested(field.value, lambda held: held is not None and compare(held, limit))
    requires = field.holds is Value.TEXT and op != "!="
    return tested._replace(required={name: value}) if requires else tested


def _tested(get: Callable[[Row], object], test: Callable[[object], bool]) -> ListFilter[Row]:
    def matches(row: Row) -> bool:
        return test(get(row))

    return ListFilter(matches, {})


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


def _refuse(message: str) -> NoReturn:
    raise InvalidArgument(f"filter: {message}", field="filter")
