"""The document filter matches exactly what the guide says (filters.md)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.corpus import document_filters
from service.corpus.document_filters import Facts
from sessions.errors import InvalidArgument

BOOK = Facts(
    id="book-1",
    uri="https://example.org/1",
    struct_data={
        "lang": "en",
        "tags": ["Red", "blue"],
        "price": 9.5,
        "pages": 300,
        "draft": True,
        "published": "2024-05-01T10:00:00+02:00",
        "author": {"name": "Ann", "works": [{"year": 1999}, {"year": 2010}]},
    },
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'lang: ANY("en")',
        'lang: ANY("de", "en")',
        'tags: ANY("blue")',
        'tags:ANY("Red")AND price<10',
        'id: ANY("book-1")',
        'uri: ANY("https://example.org/1")',
        'author.name: ANY("Ann")',
        "author.works.year = 2010",
        "price: IN(9.5, 10)",
        "price: IN(*, 9.5i)",
        "price: IN(9, *)",
        "pages >= 300 AND pages <= 3e2",
        'published < "2024-05-01T08:00:01Z"',
        'published >= "2024-05-01"',
        'NOT missing: ANY("x")',
        '-lang: ANY("de")',
        'lang: ANY("de") OR lang: ANY("en") AND price > 1',
        '(lang: ANY("de") OR lang: ANY("en")) AND NOT (price > 10)',
        'lang: ANY("x\\"y", "en")',
    ],
)
def test_a_document_is_matched(text: str) -> None:
    assert document_filters.matches(document_filters.parse(text), BOOK)


@pytest.mark.parametrize(
    "text",
    [
        'lang: ANY("EN")',
        'lang: ANY("e")',
        'tags: ANY("red")',
        'missing: ANY("x")',
        "missing < 1",
        'price: ANY("9.5")',
        "lang = 1",
        "draft = 1",
        "price: IN(9.5e, 10)",
        "price: IN(*, 9.5e)",
        'published > "2024-05-01T08:00:00Z"',
        'lang > "2020-01-01"',
        'NOT lang: ANY("en")',
        '(lang: ANY("en") OR lang: ANY("de")) AND price > 10',
        'author: ANY("Ann")',
    ],
)
def test_a_document_is_not_matched(text: str) -> None:
    assert not document_filters.matches(document_filters.parse(text), BOOK)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a:",
        "a: ANY()",
        'a: ANY("x"',
        "a: ANY(x)",
        "a: IN(1)",
        "a = 1i",
        "a = 1 b = 2",
        "a = 1 AND",
        "(a = 1",
        "a = 1)",
        'a = "soon"',
        '"x"',
        'a: any("x")',
        'a( ANY("x")',
        'a: ANY:"x")',
        'a: ANY("x",',
        'a: ANY("x"(',
        "a: IN:1, 2)",
        "a: IN(1: 2)",
        "a: IN(1, 2:",
        "(a = 1(",
        'a: ANY("x"] OR b',
        "(" * 60 + "a = 1" + ")" * 60,
        "a = 1 OR " * 2000 + "a = 1",
    ],
)
def test_what_is_not_in_the_grammar_is_refused_by_field(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        document_filters.parse(text, field="searchSpec.filter")
    assert refused.value.field == "searchSpec.filter"


@pytest.mark.parametrize("open", ["(", "NOT "])
def test_a_filter_is_as_deep_and_as_long_as_it_may_be(open: str) -> None:
    """Depth is counted within each other: what stands side by side is not deeper."""

    def nested(depth: int) -> str:
        return open * depth + "price < 10" + (")" * depth if open == "(" else "")

    assert (document_filters.MAX_DEPTH, document_filters.MAX_LENGTH) == (
        50,
        8192,
    )  # as the guide says
    deepest = document_filters.MAX_DEPTH - 1  # the condition is the last
    for text in (nested(deepest), f"{nested(deepest)} OR {nested(deepest)} OR {nested(deepest)}"):
        assert document_filters.matches(document_filters.parse(text), BOOK) == (
            open == "(" or deepest % 2 == 0
        )
    with pytest.raises(InvalidArgument, match=f"nested deeper than {document_filters.MAX_DEPTH}"):
        document_filters.parse(nested(deepest + 1))
    with pytest.raises(InvalidArgument, match=f"nested deeper than {document_filters.MAX_DEPTH}"):
        document_filters.parse(f"price < 10 AND {nested(deepest + 1)}")
    assert document_filters.parse("price < 10".ljust(document_filters.MAX_LENGTH))
    with pytest.raises(InvalidArgument, match=str(document_filters.MAX_LENGTH)):
        document_filters.parse("price < 10".ljust(document_filters.MAX_LENGTH + 1))


def test_a_quoted_line_break_is_a_line_break() -> None:
    facts = Facts(id="d", struct_data={"a": "x\ny"})
    assert document_filters.matches(document_filters.parse('a: ANY("x\\\ny")'), facts)


def test_what_cannot_be_read_is_shown_where_it_stands() -> None:
    """Twenty characters on either side find the place in a long filter."""
    with pytest.raises(InvalidArgument) as refused:
        document_filters.parse("price < 10 AND " * 5 + "price ? 10" + " AND price < 10" * 5)
    assert "near 'price < 10 AND price ? 10 AND price < 10'" in refused.value.message
    with pytest.raises(InvalidArgument, match=r"near '\? 10'"):
        document_filters.parse("? 10")
    with pytest.raises(InvalidArgument, match=r"near 'price < 10 \?'"):
        document_filters.parse("price < 10 ?")


@pytest.mark.parametrize("missing", [None, "soon", {"a": 1}, [], [None], True])
def test_what_is_no_number_or_time_compares_with_nothing(missing: Any) -> None:
    facts = Facts(id="d", struct_data={"a": missing})
    for text in ("a < 1e9", "a > -1e9", 'a < "2100-01-01"', "a: IN(*, *)", 'a: ANY("1")'):
        assert not document_filters.matches(document_filters.parse(text), facts)


Test = Callable[[dict[str, Any]], bool]
"""The model of a filter: what it says of structured data."""


def _each(value: Any) -> list[Any]:
    return [] if value is None else cast("list[Any]", value) if isinstance(value, list) else [value]


def _any_of_a(data: dict[str, Any]) -> bool:
    return any(value in ("x", "y") for value in _each(data.get("a")))


def _over_two(data: dict[str, Any]) -> bool:
    return any(value > 2 for value in _each(data.get("n")))


def _in_range(data: dict[str, Any]) -> bool:
    return any(1 < value <= 3 for value in _each(data.get("n")))


def _inner(data: dict[str, Any]) -> bool:
    return "x" in _each(data.get("o", {}).get("a"))


def _negated(term: tuple[str, Test]) -> tuple[str, Test]:
    text, test = term
    return f"NOT ({text})", lambda data: not test(data)


def _joined(both: tuple[tuple[str, Test], tuple[str, Test], bool]) -> tuple[str, Test]:
    (text, test), (other, its), conjunction = both
    if conjunction:
        return f"({text}) AND ({other})", lambda data: test(data) and its(data)
    return f"({text}) OR ({other})", lambda data: test(data) or its(data)


def _combined(terms: st.SearchStrategy[tuple[str, Test]]) -> st.SearchStrategy[tuple[str, Test]]:
    return terms.map(_negated) | st.tuples(terms, terms, st.booleans()).map(_joined)


CONDITIONS: st.SearchStrategy[tuple[str, Test]] = st.sampled_from(
    [
        ('a: ANY("x", "y")', _any_of_a),
        ("n > 2", _over_two),
        ("n: IN(1e, 3i)", _in_range),
        ('o.a: ANY("x")', _inner),
    ]
)
TEXTS = st.sampled_from(["x", "y", "z"])
NUMBERS = st.integers(0, 4)
DATA: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "a": TEXTS | st.lists(TEXTS, max_size=2),
        "n": NUMBERS | st.lists(NUMBERS, max_size=2),
        "o": st.dictionaries(st.just("a"), TEXTS),
    },
)


@given(st.recursive(CONDITIONS, _combined, max_leaves=6), DATA)
def test_combinations_mean_what_logic_says(
    condition: tuple[str, Test], data: dict[str, Any]
) -> None:
    text, model = condition
    assert document_filters.matches(
        document_filters.parse(text), Facts(id="d", struct_data=data)
    ) == model(data)


@given(st.text(alphabet=st.sampled_from('ab:"()ANYIN <>=1.5ei-*,\\ORT'), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidArgument):
        document_filters.matches(document_filters.parse(text), BOOK)
