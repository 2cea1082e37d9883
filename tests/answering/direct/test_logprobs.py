"""The tokens of a candidate, and how likely they were."""

from __future__ import annotations

import math

import pytest

from service.answering.direct import logprobs
from service.generation.chat_model.chat_events import TokenAlternative, TokenLogprob

TOKENS = [TokenLogprob(token, -float(at)) for at, token in enumerate(["<th", "ink>", "a ", "bc"])]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a bc", ["a ", "bc"]),
        ("a b", ["a ", "bc"]),
        ("<think>a bc", ["<th", "ink>", "a ", "bc"]),
        ("not of these", ["<th", "ink>", "a ", "bc"]),
    ],
)
def test_only_tokens_of_the_text_are_told(text: str, told: list[str]) -> None:
    found = logprobs.result(TOKENS, text)
    assert found is not None
    assert [one.token for one in found.chosen_candidates] == told
    assert not found.top_candidates


def test_the_average_is_that_of_the_chosen_tokens() -> None:
    assert math.isclose(logprobs.average(logprobs.result(TOKENS, "a bc")), -2.5)


def test_alternatives_are_sorted_by_falling_probability() -> None:
    others = (TokenAlternative("b", -2.0), TokenAlternative("a", -0.1))
    found = logprobs.result([TokenLogprob("a", -0.1, others)], "a")
    assert found is not None
    (top,) = found.top_candidates
    assert [one.token for one in top.candidates] == ["a", "b"]


@pytest.mark.parametrize(("given", "told"), [(7, 7), (None, None), ("x", None), (2**31, None)])
def test_an_id_is_told_where_it_is_one(given: object, told: int | None) -> None:
    found = logprobs.result([TokenLogprob("a", -0.1, id=given)], "a")
    assert found is not None
    assert found.chosen_candidates[0].token_id == told


def test_without_tokens_nothing_is_told() -> None:
    assert logprobs.result([], "a") is None
    assert logprobs.average(None) == 0.0
