"""Read conditions joined by AND, OR and NOT: what the grammars of all filters share.

::

    expression  = conjunction { "OR" conjunction }      AND binds tighter than OR
    conjunction = term { "AND" term }
    term        = ["NOT" | "-"] ( "(" expression ")" | condition )

AIP-160 has the same words, and lets OR bind tighter; the filters of both public APIs do not.
"""

from __future__ import annotations

import abc
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Generic, NamedTuple, NoReturn, TypeVar

from sessions.errors import InvalidArgument

Parsed = TypeVar("Parsed")

COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Token(NamedTuple):
    """What stands from *start* to *end*; its kind is the group of the pattern that it matched.

    The last one is ``end``, or ``unreadable`` where nothing matches.
    """

    kind: str
    text: str
    start: int
    end: int


class ExpressionParser(abc.ABC, Generic[Parsed]):
    """One pass over a text, one token ahead, a method per rule.

    A grammar brings its tokens, `condition`, what it makes of several (`joined`, `negated`) and
    the words of its errors, in which ``{character}`` and ``{near}`` say where, ``{wanted}`` what.
    """

    pattern: ClassVar[re.Pattern[str]]
    """Matches a token and the white space before it."""
    max_depth: ClassVar[int]
    """Terms within each other: reading recurses, and must not run out of stack."""
    conjunctions: ClassVar[tuple[tuple[str, str], ...]] = (("word", "AND"),)
    negates_again: ClassVar[bool] = False
    """Whether ``NOT NOT`` is in the language; it is not in that of AIP-160."""
    unreadable: ClassVar[str]
    unexpected: ClassVar[str]
    too_deep: ClassVar[str]
    names: ClassVar[Mapping[str, str]] = {}
    """What errors call some kinds and marks."""

    def __init__(self, text: str, field: str) -> None:
        """Read *text*, the value of *field* in the request."""
        self.tokens = _tokens(self.pattern, text)
        self._text = text
        self._field = field
        self._next = -1
        self._depth = 0
        self._advance()

    @abc.abstractmethod
    def condition(self) -> Parsed:
        """Read what stands between AND, OR and NOT."""

    @abc.abstractmethod
    def joined(self, operator: str, terms: list[Parsed]) -> Parsed:
        """Return *terms* as one, joined by ``AND`` or ``OR``."""

    @abc.abstractmethod
    def negated(self, term: Parsed) -> Parsed:
        """Return the opposite of *term*."""

    def whole(self) -> Parsed:
        """Read the whole text.

        Raises:
            InvalidArgument: it is not in the grammar.
        """
        parsed = self._expression()
        if self.next.kind != "end":
            self.refuse(self.unexpected, "AND, OR or the end")
        return parsed

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self.tokens[self._next]

    def sees(self, kind: str, text: str = "") -> bool:
        """Tell whether the next token is of *kind* and, where that is given, *text*."""
        return self.next.kind == kind and text in ("", self.next.text)

    def skips(self, kind: str, text: str) -> bool:
        """Go on over the next token where it is this one; tell whether it was."""
        seen = self.sees(kind, text)
        if seen:
            self._advance()
        return seen

    def take(self, kind: str, text: str = "") -> str:
        """Go on over the next token, which must be of *kind*; return its text."""
        if not self.sees(kind, text):
            self.refuse(self.unexpected, text or kind)
        taken = self.next.text
        self._advance()
        return taken

    def refuse(self, problem: str, wanted: str = "", at: Token | None = None) -> NoReturn:
        """Fail with *problem*, which the next token has, or the one *at* which it is."""
        _, _, start, end = at or self.next
        near = self._text[max(0, end - 20) : end + 20]
        wanted = self.names.get(wanted, wanted)
        told = problem.format(wanted=wanted, character=start + 1, near=near)
        raise InvalidArgument(f"{self._field}: {told}", field=self._field)

    def _advance(self) -> None:
        self._next += 1
        if self.next.kind == "unreadable":
            self.refuse(self.unreadable)

    def _expression(self) -> Parsed:
        terms = [self._conjunction()]
        while self.skips("word", "OR"):
            terms.append(self._conjunction())
        return terms[0] if len(terms) == 1 else self.joined("OR", terms)

    def _conjunction(self) -> Parsed:
        terms = [self._term()]
        while any(self.skips(*conjunction) for conjunction in self.conjunctions):
            terms.append(self._term())
        return terms[0] if len(terms) == 1 else self.joined("AND", terms)

    def _term(self) -> Parsed:
        self._depth += 1
        if self._depth > self.max_depth:
            self.refuse(self.too_deep)
        negation = self.skips("word", "NOT") or self.skips("minus", "-")
        parsed = self._term() if negation and self.negates_again else self._simple()
        if negation:
            parsed = self.negated(parsed)
        self._depth -= 1
        return parsed

    def _simple(self) -> Parsed:
        if not self.skips("mark", "("):
            return self.condition()
        parsed = self._expression()
        self.take("mark", ")")
        return parsed


def unquoted(text: str) -> str:
    """Return what stood between quotes, without its escapes."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _tokens(pattern: re.Pattern[str], text: str) -> list[Token]:
    tokens: list[Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = pattern.match(text, at)
        start = end - len(text[at:end].lstrip())
        if match is None or match.lastgroup is None:
            return [*tokens, Token("unreadable", "", start, at)]
        at = match.end()
        tokens.append(Token(match.lastgroup, match[match.lastgroup], start, at))
    return [*tokens, Token("end", "", end, end)]
