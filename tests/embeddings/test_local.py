"""The local model, where the extra is installed."""

from __future__ import annotations

import pytest

from service.embeddings import local
from service.embeddings.embedder import TextKind
from service.embeddings.local import LocalEmbedder
from sessions.errors import FailedPrecondition
from tests.embeddings.doubles import local_embedder

pytestmark = pytest.mark.anyio


async def test_a_question_in_one_language_lies_near_to_its_answer_in_another() -> None:
    model = local_embedder()
    [asked] = await model.embed(["¿Cómo cambio mi contraseña?"], TextKind.QUERY)
    answers = ["How to change your password.", "The pool opens at nine.", "Delivery takes a week."]
    near = [
        sum(a * b for a, b in zip(asked, vector, strict=True))
        for vector in await model.embed(answers, TextKind.DOCUMENT)
    ]
    assert near[0] > 0.5 > max(near[1:])


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_MODULE", "no_such_module")
    assert not local.is_installed()
    with pytest.raises(FailedPrecondition, match=r"pip install 'colloquy\[embeddings\]'"):
        LocalEmbedder()
