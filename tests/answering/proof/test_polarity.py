"""What sentences deny, and which words are opposites."""

from __future__ import annotations

import pytest

from service.answering.proof import polarity


@pytest.mark.parametrize(
    ("language", "sentence", "denials"),
    [
        ("en", "You can drive.", 0),
        ("en", "You can't drive without a permit.", 2),
        ("en-GB", "Nobody may drive.", 1),
        ("es", "No puede conducir sin permiso.", 2),
        ("fr", "Vous ne pouvez pas conduire.", 1),
        ("de", "Sie dürfen nicht ohne Genehmigung fahren.", 2),
        ("zh", "没有许可证不得开车。", 2),
        ("xx", "You may not drive.", 1),
    ],
)
def test_denials_are_counted(language: str, sentence: str, denials: int) -> None:
    assert polarity.denials(sentence, language) == denials


def test_a_word_of_one_language_denies_nothing_in_another() -> None:
    assert polarity.denials("The sin of the ni sans.", "en") == 0


def test_opposites_are_those_that_are_not_said_as_well() -> None:
    assert ("before", "after") in polarity.opposites({"before", "noon"})
    assert polarity.opposites({"before", "after"}) == []
