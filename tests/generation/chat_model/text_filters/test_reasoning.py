"""What a model thinks is not told, and what it tells about thinking is."""

from __future__ import annotations

import itertools
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.text_filters.reasoning import ReasoningFilter

ANALYSIS = "<|channel|>analysis<|message|>Hm.<|end|>"


def passed(*pieces: str, within_thoughts: bool = False) -> str:
    """Return what is passed of a text in *pieces*."""
    reasoning = ReasoningFilter(within_thoughts=within_thoughts)
    return "".join([*(reasoning.feed(piece) for piece in pieces), reasoning.finish()])


def however_cut(text: str) -> str:
    """Return what is passed of *text*, which must be the same in one piece and by characters."""
    told = passed(text)
    assert told == passed(*text)
    return told


@pytest.mark.parametrize(
    ("text", "thoughts"),
    [
        ("<think>Hm.</think>The fee is $5.", "Hm."),
        ("<think>\nOne.\n</think><think>Two.</think>The fee.", "\nOne.\nTwo."),
        ("The fee is due.\n<think>When?</think>In May.", "When?"),
        ("[THINK]Hm.[/THINK]The fee.", "Hm."),
        ("<think>Never closed", "Never closed"),
        ("analysisHm. So.assistantfinalThe fee.", "Hm. So."),
        (f"{ANALYSIS}<|start|>assistant<|channel|>final<|message|>The fee.<|return|>", "Hm."),
        ("<|channel|>analysis<|message|>Never closed", "Never closed"),
        ("<|channel|>final<|message|>The fee.", ""),
        ("<|channel|>commentary to=x<|message|>{}<|call|>", ""),
        ("<tool_call>{}</tool_call>The fee.", ""),
        ("Okay, let me see. $5?</think>The fee is $5.", "Okay, let me see. $5?"),
        ("Okay, let me see: it is $5.", ""),
        ("Write `<think>Hm.</think>`.", ""),
    ],
)
def test_thoughts_are_kept_for_whom_they_are_wanted(text: str, thoughts: str) -> None:
    for pieces in ((text,), text):
        reasoning = ReasoningFilter(keeps_thoughts=True)
        taken = list[str]()
        for piece in pieces:
            reasoning.feed(piece)
            taken.append(reasoning.take_thoughts())
        reasoning.finish()
        assert "".join([*taken, reasoning.take_thoughts()]) == thoughts


def test_thoughts_are_told_as_they_come() -> None:
    reasoning = ReasoningFilter(keeps_thoughts=True)
    reasoning.feed("<think>" + "Hm. " * 50)
    assert reasoning.take_thoughts().startswith("Hm. Hm. ")


def test_without_guesses_a_text_that_begins_as_thoughts_do_passes_at_once() -> None:
    reasoning = ReasoningFilter(guesses=False)
    assert reasoning.feed("Okay, let us begin.") == "Okay, let us begin."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<think>Hm.</think>The fee is $5.", "The fee is $5."),
        ("\n <think>\nHm.\n\n</think>\n\nThe fee.", "The fee."),
        ("<think></think>\n\nThe fee.", "The fee."),
        ("<THINK>Hm.</Think>The fee.", "The fee."),
        ("<thinking>Is it <b>?</thinking>The fee.", "The fee."),
        ("<think>Never closed", ""),
        ("<think>One</think><think>Two</think>The fee.", "The fee."),
        ("<reasoning>Hm</reasoning>\nThe fee.", "The fee."),
        ("[THINK]Hm.[/THINK]The fee.", "The fee."),
        ("◁think▷Hm.◁/think▷The fee.", "The fee."),
        ("<|begin_of_thought|>Hm<|end_of_thought|>The fee.", "The fee."),
        ("The fee is $5.\n<think>Sure?</think>\nIt is due.", "The fee is $5.\n\nIt is due."),
        ("The fee is $5. <think>Sure?</think> It is due.", "The fee is $5.  It is due."),
        ("The fee.</think>", "The fee."),
        ("Okay, so the user asks for a fee.\n</think>\nThe fee.", "The fee."),
        ("Hmm, let me see.\n</think>The fee.", "The fee."),
        ("We need to answer with the fee.</think>The fee.", "The fee."),
    ],
)
def test_thoughts_are_not_passed(text: str, told: str) -> None:
    assert however_cut(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{ANALYSIS}<|start|>assistant<|channel|>final<|message|>The fee.<|return|>", "The fee."),
        ("<|channel|>final<|message|>The fee.", "The fee."),
        ("<|start|>assistant<|channel|>final <|constrain|>text<|message|>The fee.", "The fee."),
        ("analysisThe user asks for it.assistantfinalThe fee.", "The fee."),
        ("<|channel|>commentary to=x<|message|>{}<|call|>", ""),
        ("<|im_start|>assistant\nThe fee.<|im_end|>\n<|im_start|>user\nAnd?", "The fee."),
        ("<|start_header_id|>assistant<|end_header_id|>\n\nThe fee.<|eot_id|>", "The fee."),
        ("<s>The fee.</s>", "The fee."),
        ("The fee.<end_of_turn>\nuser", "The fee."),
        ("The fee.<|endoftext|>Next document", "The fee."),
        ("[/INST] The fee.", "The fee."),
        ('<tool_call>\n{"name": "search"}\n</tool_call>\nThe fee.', "The fee."),
        ('The fee.\n<tool_call>\n{"name": "search"}\n</tool_call>', "The fee.\n"),
        ('Let me search <tool_call>{"name": "x"}', "Let me search "),
        ("<function_call>{}</function_call>The fee.", "The fee."),
        ('[TOOL_CALLS][{"name": "x"}]', ""),
        ("<｜tool▁calls▁begin｜>x<｜tool▁calls▁end｜>The fee.", "The fee."),
        ("The fee.<|python_tag|>import os", "The fee."),
        ("The fee<|reserved_special_token_5|> is $5.", "The fee is $5."),
    ],
)
def test_the_noise_of_templates_and_tools_is_not_passed(text: str, told: str) -> None:
    assert however_cut(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "Models write `<think>` before they answer, and `</think>` after.",
        "Put it like this:\n```\n<think>\nHm.\n</think>\n```\nand then the answer.",
        "```xml\n<tool_call>{}</tool_call>\n```",
        "Models write <think> before they answer.",
        "The <tool_call> tag holds a call.",
        "Use `<|im_start|>` here.",
        "<div>A page</div> has <b>tags</b> and x < y > z <",
        "See [the page](https://a.example) [1] and [THE FORM] [A",
        "An <s>old</s> price",
        "Okay, so be it.",
        "Let me know.",
        "The user is a person.",
        "Analysis takes a day. analysis",
        "Alright",
        "a ``` b <think>c",
        "``` <think>x</think>",
    ],
)
def test_what_is_told_of_tags_is_passed(text: str) -> None:
    assert however_cut(text) == text


def test_thoughts_that_the_endpoint_opened_are_dropped_once_it_is_known() -> None:
    """A template that ends with the opening tag leaves only the closing one in the text."""
    first = ReasoningFilter()
    assert first.feed("The fee may be $5?</think>The fee.") == "The fee may be $5?The fee."
    assert first.began_within_thoughts
    assert passed("It may be $5?</think>", "The fee.", within_thoughts=True) == "The fee."
    later = ReasoningFilter(within_thoughts=True)
    assert (later.feed("The fee."), later.finish()) == ("", "The fee.")
    assert not later.began_within_thoughts


def test_ordinary_text_passes_at_once() -> None:
    reasoning = ReasoningFilter()
    pieces = ["The", " fee", " is", " $5", " [", "1].", "\n", "`a", "<b", ">`", " x <", " y"]
    told = [reasoning.feed(piece) for piece in pieces]
    assert told == ["", "The fee", " is", " $5", " ", "[1].", "\n", "`a", "<b", ">`", " x ", "< y"]


parts = st.sampled_from(
    [
        *("<think>", "</think>", "<", ">", "think", "/", "`", "```", "\n", " ", "word", ". ", "["),
        *("<tool_call>", "{", "</tool_call>", "<|im_end|>", "<|channel|>", "final<|message|>", "◁"),
        *("okay, so the ", "user", "analysis", "A", "assistantfinal", "[THINK]", "[/THINK]", "<s>"),
    ]
)


@given(st.lists(parts, max_size=14), st.lists(st.integers(0, 60), max_size=8), st.booleans())
def test_the_cuts_between_pieces_change_nothing(
    texts: list[str], cuts: list[int], within: bool
) -> None:
    text = "".join(texts)
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in itertools.pairwise(bounds)]
    whole = passed(text, within_thoughts=within)
    assert passed(*pieces, within_thoughts=within) == whole
    assert passed(*text, within_thoughts=within) == whole


@given(st.text(alphabet=st.characters(exclude_characters="<[◁")))
def test_a_text_without_tags_is_passed_whole(text: str) -> None:
    assert passed(*f"x{text}") == f"x{text}"


@pytest.mark.parametrize(
    "repeated",
    ["<", "[", "<think>", "`", "x", "\n", "<|", "◁", "<tool_call>{", "a. <think>", "◁think▷"],
)
@pytest.mark.parametrize("size", [4, 50_000])
def test_no_text_takes_long(repeated: str, size: int) -> None:
    text = (repeated * 100_000)[:100_000]
    reasoning, began = ReasoningFilter(), time.thread_time()
    for at in range(0, len(text), size):
        reasoning.feed(text[at : at + size])
    assert time.thread_time() - began < 10  # 0.3 where nothing else runs; quadratic: minutes


@pytest.mark.parametrize("opening", ["<think>", "<|channel|>", "analysisHm"])
def test_endless_thoughts_take_no_memory(opening: str) -> None:
    reasoning = ReasoningFilter()
    reasoning.feed(opening)
    tracemalloc.start()
    try:
        for _ in range(5000):
            assert reasoning.feed("Hm, so. " * 250) == ""
        # 10 MB were fed; what other threads of the process take meanwhile is counted too.
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
