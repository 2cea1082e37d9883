"""The small model that Colloquy brings along."""

from __future__ import annotations

import pytest

from service.embeddings.compact import CompactEmbedder
from service.embeddings.embedder import TextKind

pytestmark = pytest.mark.anyio


async def test_a_question_lies_near_to_what_answers_it_in_other_words() -> None:
    model = CompactEmbedder()
    [asked] = await model.embed(["How do I get my files back after a crash?"], TextKind.QUERY)
    answers = [
        "Restore your documents from the last backup when the disk has failed.",
        "The pool opens at nine in summer.",
        "Choose the colour of the window in the settings.",
    ]
    near = [
        sum(a * b for a, b in zip(asked, vector, strict=True))
        for vector in await model.embed(answers, TextKind.DOCUMENT)
    ]
    assert max(near[1:]) < near[0] <= 1.0


async def test_what_is_not_in_english_says_nothing() -> None:
    texts = ["¿Cómo cambio mi contraseña de usuario?", "如何更改我的密码？", "", " "]
    assert not any(map(any, await CompactEmbedder().embed(texts, TextKind.DOCUMENT)))


async def test_all_vectors_have_the_same_number_of_parts() -> None:
    texts = ["", "How much is it?", "word " * 10_000, "x" * 10_000, "\ud800", "`--flag`"]
    vectors = await CompactEmbedder().embed(texts, TextKind.DOCUMENT)
    assert {len(vector) for vector in vectors} == {96}


async def test_no_text_takes_no_vector() -> None:
    assert await CompactEmbedder().embed([], TextKind.QUERY) == []
