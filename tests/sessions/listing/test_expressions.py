"""What all filters share, in the smallest grammar over it: a condition is a letter."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.errors import InvalidArgument
from sessions.listing.expressions import ExpressionParser


class Letters(ExpressionParser[str]):
    """Reads an expression into one with parentheses around all that belongs together."""

    pattern = re.compile(r"\s*(?:(?P<word>\w+)|(?P<mark>[()])|(?P<minus>-))")
    max_depth = 3
    unreadable = "nothing can be read at {character}"
    unexpected = "{wanted} belongs at {character}, near '{near}'"
    too_deep = "too deep at {character}"

    def condition(self) -> str:
        return self.take("word")

    def joined(self, operator: str, terms: list[str]) -> str:
        return f"({f' {operator} '.join(terms)})"

    def negated(self, term: str) -> str:
        return f"!{term}"


class Doubly(Letters):
    negates_again = True


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a", "a"),
        ("a AND b OR c AND d OR e", "((a AND b) OR (c AND d) OR e)"),
        ("a AND (b OR c)", "(a AND (b OR c))"),
        ("NOT a AND -b OR NOT (c)", "((!a AND !b) OR !c)"),
        ("  ( ( a ) ) ", "a"),
    ],
)
def test_and_binds_tighter_than_or_and_not_tighter_than_both(text: str, meant: str) -> None:
    assert Letters(text, "f").whole() == meant


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a b", "f: AND, OR or the end belongs at 3, near 'a b'"),
        ("(a", "f: ) belongs at 3, near '(a'"),
        ("a AND", "f: word belongs at 6, near 'a AND'"),
        ("a  %", "f: nothing can be read at 4"),
        ("a b %", "f: AND, OR or the end belongs at 3, near 'a b %'"),  # the first fault counts
        ("(((a)))", "f: too deep at 4"),
        ("NOT NOT a", "f: AND, OR or the end belongs at 9, near 'NOT NOT a'"),
    ],
)
def test_an_error_names_the_field_and_the_place(text: str, problem: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        Letters(text, "f").whole()
    assert (refusal.value.message, refusal.value.field) == (problem, "f")


def test_a_grammar_may_take_several_negations() -> None:
    assert Doubly("NOT -a", "f").whole() == "!!a"


@given(st.text("ab()- ANDORNT", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidArgument):
        assert Letters(text, "f").whole()
