"""What words and phrases of other languages are in English."""

from __future__ import annotations

import pytest

from service.language.queries import translations


@pytest.mark.parametrize(
    ("language", "text", "english"),
    [
        ("de", "Kündigungsfrist", ("notice", "period")),
        ("de-AT", "Kuendigungsfrist", ("notice", "period")),
        ("fr", "clé USB", ("flash", "drive")),
        ("fr", "l’assurance dentaire", ("dental", "insurance")),
        ("es", "seguro de vida", ("life", "insurance")),
        ("es", "libro", ("book",)),
        ("es", "libros", ("book",)),
        ("pt", "atalho", ("shortcut",)),
        ("it", "malattie preesistenti", ("pre-existing", "condition")),
        ("zh", "截图", ("screenshot",)),
        ("zh", "截圖", ("screenshot",)),
        ("ja", "住宅ローン", ("mortgage",)),
        ("ko", "처방전", ("prescription",)),
        ("ko", "처방전을", ("prescription",)),
    ],
)
def test_it_knows_words_phrases_and_their_forms(
    language: str, text: str, english: tuple[str, ...]
) -> None:
    assert english in translations.of(text, language)


def test_an_umlaut_makes_another_word() -> None:
    assert ("change",) in translations.of("ändern", "de")
    assert ("change",) not in translations.of("andern", "de")


@pytest.mark.parametrize(
    ("language", "text"), [("nl", "huis"), ("es", "xyzzy"), ("ko", "가"), ("es", "")]
)
def test_it_knows_nothing_of_others(language: str, text: str) -> None:
    assert not translations.of(text, language)
