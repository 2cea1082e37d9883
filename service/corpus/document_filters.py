"""Read the document filter of searches and boosts (``SearchRequest.filter``); tell what it matches.

::

    condition = text | number | time           joined as in `sessions.listing.expressions`
    text      = field ":" "ANY" "(" member { "," member } ")"
    member    = "literal" | claims.<name>      the latter in the policies of operators alone
    number    = field ":" "IN" "(" bound "," bound ")"
              | field ("<=" | "<" | ">=" | ">" | "=") double
    bound     = "*" | double ["i" | "e"]       inclusive by default, e = exclusive
    time      = field ("<=" | "<" | ">=" | ">" | "=") "RFC 3339 or YYYY-MM-DD"

A field is a path into structured data; an array matches where one of its elements does. A
document without the field does not match, and does match under NOT.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, cast

import msgspec

from sessions.errors import InvalidArgument
from sessions.listing.expressions import COMPARISONS, ExpressionParser, unquoted

MAX_LENGTH: Final = 8192
"""Characters of a filter; more is refused."""
MAX_DEPTH: Final = 50
"""Parentheses and NOTs within each other; more is refused."""

_CLAIMS: Final = "claims."
_TOKEN: Final = re.compile(
    r"""\s*(?: "(?P<literal>(?:[^"\\]|\\.)*)" | (?P<op><=|>=|<|>|=) | (?P<mark>[():,*])
            | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ie]?)(?![\w.])
            | (?P<minus>-)(?=\s*[A-Za-z_(]) | (?P<word>[^\W\d][\w.\-]*) )""",
    re.VERBOSE | re.DOTALL,
)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a filter may ask of a document."""

    id: str
    uri: str = ""
    struct_data: Mapping[str, Any] = {}
    readers: tuple[tuple[str, ...], ...] = ()
    """Who may read it, as `document_access.readers` tells."""


class OneOf(msgspec.Struct, frozen=True, tag="any"):
    """The value of *field* is one of *literals*, to the letter, or of the values of *claims*.

    These are known of one viewer only: until `with_claims` they have no values.
    """

    field: str
    literals: frozenset[str]
    claims: frozenset[str] = frozenset()


class ReadableBy(msgspec.Struct, frozen=True, tag="readable"):
    """Each restriction on the readers of the document names one of *identities*.

    A document without any restriction has no readers. No filter of a caller can say this.
    """

    identities: frozenset[str]


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


Filter = OneOf | ReadableBy | In | Compare | Not | And | Or

ALL: Final = And(())
"""The empty filter."""
NOTHING: Final = Or(())
"""Matches no document."""


def parse(text: str, *, field: str = "filter") -> Filter:
    """Return what *text* asks for; an empty text asks for all.

    Raises:
        InvalidArgument: it is not in the grammar; *field* of the request is named.
    """
    return _parsed(text, field, has_claims=False)


def parse_policy(text: str, *, field: str) -> Filter:
    """Return the policy *text* of an operator, which may speak of claims; see `with_claims`.

    Raises:
        InvalidArgument: it is not in the grammar, or a claim stands under NOT: who lacks the claim
            would be shown what it is to hide.
    """
    policy = _parsed(text, field, has_claims=True)
    _refuse_negated_claims(policy, field)
    return policy


def with_claims(policy: Filter, claims: Mapping[str, Collection[str]]) -> Filter:
    """Return *policy* for a viewer with these *claims*; one that is lacking has no values.

    Values are put into the tree and never into a text: whatever is written in them is one value.
    """
    match policy:
        case And(terms) | Or(terms):
            return type(policy)(tuple(with_claims(term, claims) for term in terms))
        case Not(term):
            return Not(with_claims(term, claims))
        case OneOf(field=field, literals=literals, claims=wanted) if wanted:
            told = (value for name in wanted for value in claims.get(name, ()))
            return OneOf(field, literals.union(told))
        case _:
            return policy


def _parsed(text: str, field: str, *, has_claims: bool) -> Filter:
    if not text.strip():
        return ALL
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"{field}: longer than {MAX_LENGTH} characters", field=field)
    return _Parser(text, field, has_claims=has_claims).whole()


def _refuse_negated_claims(condition: Filter, field: str, *, negated: bool = False) -> None:
    match condition:
        case And(terms) | Or(terms):
            for term in terms:
                _refuse_negated_claims(term, field, negated=negated)
        case Not(term):
            _refuse_negated_claims(term, field, negated=True)
        case OneOf(claims=claims) if claims and negated:
            raise InvalidArgument(
                f"{field}: claims.{min(claims)} stands under NOT, so that whoever lacks the claim "
                "would see the documents; say who may see them instead",
                field=field,
            )
        case _:
            return


def matches(condition: Filter, document: Facts) -> bool:
    """Tell whether *document* is one that *condition* asks for."""
    match condition:
        case And(terms):
            return all(matches(term, document) for term in terms)
        case Or(terms):
            return any(matches(term, document) for term in terms)
        case Not(term):
            return not matches(term, document)
        case ReadableBy(identities):
            readers = document.readers
            return bool(readers) and all(not identities.isdisjoint(each) for each in readers)
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
                told = moment(value) if isinstance(value, str) else None
                return told is not None and COMPARISONS[op](told, wanted)
            return _is_number(value) and COMPARISONS[op](cast("float", value), wanted)


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


def moment(text: str) -> dt.datetime | None:
    """Read an RFC 3339 time or a date; one without a zone is UTC."""
    try:
        told = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return told if told.tzinfo else told.replace(tzinfo=dt.UTC)


class _Parser(ExpressionParser[Filter]):
    """Reads one document filter."""

    pattern = _TOKEN
    max_depth = MAX_DEPTH
    negates_again = True
    unreadable = "cannot be read near '{near}'"
    unexpected = "expected {wanted} near '{near}'"
    too_deep = f"nested deeper than {MAX_DEPTH} near '{{near}}'"

    def __init__(self, text: str, field: str, *, has_claims: bool) -> None:
        self._has_claims = has_claims
        super().__init__(text, field)

    def joined(self, operator: str, terms: list[Filter]) -> Filter:
        return And(tuple(terms)) if operator == "AND" else Or(tuple(terms))

    def negated(self, term: Filter) -> Filter:
        return Not(term)

    def condition(self) -> Filter:
        field = self.take("word")
        if self.sees("op"):
            op = self.take("op")
            if self.sees("literal"):
                return Compare(field, op, self._time(unquoted(self.take("literal"))))
            if self.sees("number") and self.next.text.endswith(("i", "e")):
                self.refuse(self.unexpected, "a number without i or e")
            return Compare(field, op, float(self.take("number")))
        self.take("mark", ":")
        if self.skips("word", "ANY"):
            return self._any(field)
        if not self.skips("word", "IN"):
            self.refuse(self.unexpected, "ANY or IN")
        return self._in(field)

    def _time(self, text: str) -> dt.datetime:
        told = moment(text)
        if told is None:
            wanted = f"an RFC 3339 time or YYYY-MM-DD, not '{text[:40]}'"
            self.refuse(self.unexpected, wanted)
        return told

    def _any(self, field: str) -> Filter:
        literals, claims = set[str](), set[str]()
        self.take("mark", "(")
        while True:
            claim = self.next.text.removeprefix(_CLAIMS)
            if self._has_claims and self.sees("word") and claim not in ("", self.next.text):
                claims.add(claim)
                self.take("word")
            else:
                literals.add(unquoted(self.take("literal")))
            if not self.skips("mark", ","):
                break
        self.take("mark", ")")
        return OneOf(field, frozenset(literals), frozenset(claims))

    def _in(self, field: str) -> Filter:
        self.take("mark", "(")
        low, low_open = self._limit(-math.inf)
        self.take("mark", ",")
        high, high_open = self._limit(math.inf)
        self.take("mark", ")")
        return In(field, low, high, low_open, high_open)

    def _limit(self, unbounded: float) -> tuple[float, bool]:
        if self.skips("mark", "*"):
            return unbounded, False
        number = self.take("number")
        return float(number.rstrip("ie")), number.endswith("e")
