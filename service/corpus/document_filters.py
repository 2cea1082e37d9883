"""Read the document filter of searches and boosts (api.md 5.5), and tell what it matches.

::

    filter  = expr { ("AND" | "OR") expr }                AND binds tighter than OR
    expr    = ["NOT" | "-"] ( "(" filter ")" | text | number | time )
    text    = field ":" "ANY" "(" "literal" { "," "literal" } ")"
    number  = field ":" "IN" "(" bound "," bound ")"
            | field ("<=" | "<" | ">=" | ">" | "=") double
    bound   = "*" | double ["i" | "e"]                    inclusive by default, e = exclusive
    time    = field ("<=" | "<" | ">=" | ">" | "=") "RFC 3339 or YYYY-MM-DD"

A field is a path into structured data; an array matches where one of its elements does. A
document without the field does not match, and does match under NOT.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn, cast

import msgspec

from sessions.errors import InvalidArgument

MAX_LENGTH: Final = 8192
"""Characters of a filter; more is refused."""
MAX_DEPTH: Final = 50
"""Parentheses and NOTs within each other; more is refused."""

_TOKEN: Final = re.compile(
    r"""\s*(?: "(?P<literal>(?:[^"\\]|\\.)*)" | (?P<op><=|>=|<|>|=) | (?P<mark>[():,*])
            | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?P<bound>[ie])?(?![\w.])
            | (?P<minus>-)(?=\s*[A-Za-z_(]) | (?P<word>[^\W\d][\w.\-]*) )""",
    re.VERBOSE | re.DOTALL,
)
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a filter may ask of a document."""

    id: str
    uri: str = ""
    struct_data: Mapping[str, Any] = {}


class OneOf(msgspec.Struct, frozen=True, tag="any"):
    """The value of *field* is one of *literals*, to the letter."""

    field: str
    literals: frozenset[str]


class In(msgspec.Struct, frozen=True, tag="in"):
    """The number in *field* lies between *low* and *high*."""

    field: str
    low: float
    high: float
    low_open: bool = False
    high_open: bool = False


class Compare(msgspec.Struct, frozen=True, tag="compare"):
    """The number or time in *field* stands in the relation *op* to *value*."""

    field: str
    op: str
    value: float | dt.datetime


class Not(msgspec.Struct, frozen=True, tag="not"):
    """*term* does not match."""

    term: Filter


class And(msgspec.Struct, frozen=True, tag="and"):
    """All *terms* match; with none, everything does."""

    terms: tuple[Filter, ...]


class Or(msgspec.Struct, frozen=True, tag="or"):
    """One of *terms* matches."""

    terms: tuple[Filter, ...]


Filter = OneOf | In | Compare | Not | And | Or

ALL: Final = And(())
"""The empty filter."""


def parse(text: str, *, field: str = "filter") -> Filter:
    """Return what *text* asks for; an empty text asks for all.

    Raises:
        InvalidArgument: it is not in the grammar; *field* of the request is named.
    """
    if not text.strip():
        return ALL
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"{field}: longer than {MAX_LENGTH} characters", field=field)
    return _Parser(text, field).parse()


def matches(condition: Filter, document: Facts) -> bool:
    """Tell whether *document* is one that *condition* asks for."""
    match condition:
        case And(terms):
            return all(matches(term, document) for term in terms)
        case Or(terms):
            return any(matches(term, document) for term in terms)
        case Not(term):
            return not matches(term, document)
        case _:
            return any(_holds(condition, value) for value in _values(condition.field, document))


def _holds(condition: OneOf | In | Compare, value: object) -> bool:
    """Tell whether one *value* of the field is what *condition* wants."""
    match condition:
        case OneOf(literals=literals):
            return isinstance(value, str) and value in literals
        case In(low=low, high=high, low_open=low_open, high_open=high_open):
            if not _is_number(value):
                return False
            number = cast("float", value)
            above = number > low if low_open else number >= low
            return above and (number < high if high_open else number <= high)
        case Compare(op=op, value=wanted):
            if isinstance(wanted, dt.datetime):
                moment = _moment(value) if isinstance(value, str) else None
                return moment is not None and _COMPARE[op](moment, wanted)
            return _is_number(value) and _COMPARE[op](cast("float", value), wanted)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _values(field: str, document: Facts) -> Iterator[object]:
    """Yield the values at the end of the path *field*, those of arrays one by one."""
    if field == "id":
        yield document.id
    elif field == "uri":
        yield document.uri
    else:
        yield from _below(document.struct_data, field.split("."))


def _below(value: object, path: list[str]) -> Iterator[object]:
    if isinstance(value, list | tuple):
        for element in cast("list[object]", value):
            yield from _below(element, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping):
        inner = cast("Mapping[str, object]", value)
        if path[0] in inner:
            yield from _below(inner[path[0]], path[1:])


def _moment(text: str) -> dt.datetime | None:
    """Read an RFC 3339 time or a date; one without a zone is UTC."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


class _Parser:
    """Reads one filter by recursive descent, one token ahead."""

    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        self._at = 0
        self._depth = 0
        self._kind, self._value, self._bound = "", "", ""
        self._advance()

    def parse(self) -> Filter:
        found = self._either()
        if self._kind != "end":
            self._fail("expected AND, OR or the end")
        return found

    def _fail(self, what: str) -> NoReturn:
        near = self._text[max(0, self._at - 20) : self._at + 20]
        raise InvalidArgument(f"{self._field}: {what} near '{near}'", field=self._field)

    def _advance(self) -> None:
        if not self._text[self._at :].strip():
            self._kind, self._value = "end", ""
            return
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            self._fail("cannot be read")
        self._at = found.end()
        self._bound = found["bound"] or ""
        self._kind = next(k for k, v in found.groupdict().items() if v is not None)
        self._value = found[self._kind]

    def _take(self, kind: str, value: str = "") -> str:
        """Go on over a token of *kind*; return its text."""
        if not self._sees(kind, value):
            self._fail(f"expected {value or kind}")
        taken = self._value
        self._advance()
        return taken

    def _sees(self, kind: str, value: str = "") -> bool:
        return self._kind == kind and value in ("", self._value)

    def _skips(self, kind: str, value: str) -> bool:
        """Go on over this token if it comes next; tell whether it did."""
        seen = self._sees(kind, value)
        if seen:
            self._advance()
        return seen

    def _either(self) -> Filter:
        terms = [self._both()]
        while self._skips("word", "OR"):
            terms.append(self._both())
        return terms[0] if len(terms) == 1 else Or(tuple(terms))

    def _both(self) -> Filter:
        terms = [self._term()]
        while self._skips("word", "AND"):
            terms.append(self._term())
        return terms[0] if len(terms) == 1 else And(tuple(terms))

    def _term(self) -> Filter:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"nested deeper than {MAX_DEPTH}")
        try:
            if self._skips("minus", "-") or self._skips("word", "NOT"):
                return Not(self._term())
            if self._skips("mark", "("):
                inner = self._either()
                self._take("mark", ")")
                return inner
            return self._condition()
        finally:
            self._depth -= 1

    def _condition(self) -> Filter:
        field = self._take("word")
        if self._sees("op"):
            op = self._take("op")
            if self._sees("literal"):
                return Compare(field, op, self._time(self._literal()))
            if self._bound:
                self._fail("expected a number without i or e")
            return Compare(field, op, float(self._take("number")))
        self._take("mark", ":")
        if self._skips("word", "ANY"):
            return self._any(field)
        if not self._skips("word", "IN"):
            self._fail("expected ANY or IN")
        return self._in(field)

    def _literal(self) -> str:
        return re.sub(r"\\(.)", r"\1", self._take("literal"), flags=re.DOTALL)

    def _time(self, text: str) -> dt.datetime:
        moment = _moment(text)
        if moment is None:
            self._fail(f"expected an RFC 3339 time or YYYY-MM-DD, not '{text[:40]}'")
        return moment

    def _any(self, field: str) -> Filter:
        self._take("mark", "(")
        literals = [self._literal()]
        while self._skips("mark", ","):
            literals.append(self._literal())
        self._take("mark", ")")
        return OneOf(field, frozenset(literals))

    def _in(self, field: str) -> Filter:
        self._take("mark", "(")
        low, low_open = self._limit(-math.inf)
        self._take("mark", ",")
        high, high_open = self._limit(math.inf)
        self._take("mark", ")")
        return In(field, low, high, low_open, high_open)

    def _limit(self, unbounded: float) -> tuple[float, bool]:
        if self._skips("mark", "*"):
            return unbounded, False
        is_open = self._bound == "e"
        return float(self._take("number")), is_open
