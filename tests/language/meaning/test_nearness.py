"""How near texts are to a question, by the model that comes with the service."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.language.meaning.contextual_vectors import ContextualVectors
from service.language.meaning.model_file import Matrix
from service.language.meaning.nearness import EncodedTexts, nearness
from tests.language.meaning.models import small_model


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (
            "My computer is slow",
            "Speed\nIf your machine takes long to respond, close programs.",
            "Screens\nThe computer has a screen of twenty inches.",
        ),
        (
            "How do I remove a user?",
            "Users\nTo delete somebody, choose their account and press the button.",
            "Users\nEvery user has a name and a picture.",
        ),
        (
            "What does it cost to send a parcel?",
            "Postage: Prices\nThe fee for shipping a package is four dollars.",
            "Postage: Tracking\nYou can see on the map where the parcel is.",
        ),
    ],
)
def test_what_says_the_same_in_other_words_is_nearer(question: str, near: str, far: str) -> None:
    told = nearness(question, [far, near])
    assert told[1] > told[0]


def test_a_text_is_nearest_to_itself() -> None:
    text = "Turn the key to start the engine."
    assert nearness(text, [text, "A bus stops here."])[0] == pytest.approx(1.0, abs=1e-3)


def test_what_has_no_words_is_near_to_nothing() -> None:
    assert nearness("", ["a key"]) == nearness("a key", [""]) == [0.0]
    assert nearness("a key", []) == []


def test_texts_are_kept_and_the_oldest_go_first() -> None:
    class Counting(ContextualVectors):
        def encode(self, texts: Sequence[str]) -> list[Matrix]:
            asked.append(list(texts))
            return super().encode(texts)

    asked: list[list[str]] = []
    kept = EncodedTexts(Counting(small_model()), most=2)
    for texts in (["key", "button"], ["key"], ["cipher"], ["button", "key"]):
        kept.vectors(texts)
    assert asked == [["key", "button"], [], ["cipher"], ["button"]]
