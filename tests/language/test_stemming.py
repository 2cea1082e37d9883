"""What stems the words of each language have."""

from __future__ import annotations

import pytest

from service.language import index_terms, stemming
from service.language.content_terms import term_of

FORMS = {
    "ar": ("المستخدمون", "المستخدمين"),
    "da": ("brugeren", "brugerne"),
    "de": ("Prüfung", "Prüfungen"),
    "el": ("χρήστης", "χρήστη"),
    "en": ("renewal", "renewals", "renewing"),
    "es": ("autenticación", "autenticaciones", "autenticacion"),
    "fi": ("käyttäjä", "käyttäjät"),
    "fr": ("vérification", "vérifications", "verification"),
    "hu": ("jelszó", "jelszót"),
    "it": ("pagamento", "pagamenti"),
    "nl": ("rekening", "rekeningen"),
    "no": ("regning", "regninger", "regningen"),
    "pt": ("fatura", "faturas"),
    "ro": ("parola", "parolele"),
    "ru": ("пароль", "пароли", "паролем"),
    "sv": ("fråga", "frågor"),
    "tr": ("şifre", "şifreler"),
}


def test_every_stemmer_is_tried_here() -> None:
    """But that of Tamil, whose words are cut at their vowel signs before they are stemmed."""
    assert FORMS.keys() == stemming.STEMMERS.keys() - {"ta"}


@pytest.mark.parametrize("language", FORMS)
def test_the_forms_of_a_word_have_one_stem(language: str) -> None:
    stems = {stem for form in FORMS[language] for stem in stemming.stems(form, language)}
    assert len(stems) == 1


@pytest.mark.parametrize("language", FORMS)
def test_finding_and_saying_have_the_same_stems(language: str) -> None:
    """A list of words for each language: its forms, and those of all others as foreign words."""
    for word in (form for forms in FORMS.values() for form in forms):
        assert index_terms.of(word, language) == [term_of(word, language)]


def test_accents_do_not_matter() -> None:
    for with_accents, without in (("teléfono", "telefono"), ("después", "despues")):
        assert stemming.stems(with_accents, "es") == stemming.stems(without, "es")


def test_words_of_another_language_are_only_folded() -> None:
    assert stemming.stems("Łódź Running", "pl") == ["lodz", "running"]


def test_what_is_longer_than_any_word_is_left_out() -> None:
    assert stemming.stems(f"key {'x' * 61} end", "en") == ["key", "end"]
