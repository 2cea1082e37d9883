"""Words that mean about the same, whatever language they are in."""

from __future__ import annotations

import pytest

from service.language import word_vectors

STORE = ("delet", "remov", "password", "chang", "invoic", "refund", "address", "bicycl", "lost")
"""Terms of a small store in English."""
EVERYTHING = word_vectors.StoredWords(frozenset, "en")


def near(word: str, language: str) -> list[str]:
    stored = word_vectors.StoredWords(frozenset(STORE).intersection, "en")
    return [neighbour.term for neighbour in stored.nearest(word, language)]


@pytest.mark.parametrize(
    ("language", "word", "term"),
    [
        ("es", "contraseña", "password"),
        ("es", "Contraseñas", "password"),
        ("fr", "supprimer", "delet"),
        ("fr", "l’adresse", "address"),
        ("de", "Rückerstattung", "refund"),
        ("de", "Passworts", "password"),
        ("it", "fattura", "invoic"),
        ("pt", "senha", "password"),
        ("nl", "wachtwoord", "password"),
        ("zh", "密码", "password"),
        ("zh", "丢失", "lost"),
        ("nl", "verloren", "lost"),
    ],
)
def test_a_word_is_read_as_what_the_store_calls_it(language: str, word: str, term: str) -> None:
    assert near(word, language)[0] == term


def test_nothing_is_near_to_what_nobody_knows() -> None:
    assert near("ZX77Q", "en") == near("qwfpgj", "") == near("", "en") == []
    assert word_vectors.vector("ZX77Q") is None


def test_only_terms_that_the_store_has_are_named() -> None:
    assert word_vectors.StoredWords(lambda _: (), "en").nearest("password") == []
    assert len(EVERYTHING.nearest("password", most=5)) == 5


def test_a_store_is_asked_about_a_term_once() -> None:
    asked: list[str] = []
    stored = word_vectors.StoredWords(lambda terms: asked.extend(terms) or (), "en")
    assert stored.nearest("contraseña", "es") == []
    first = len(asked)
    assert 0 < first < 4_000
    assert stored.nearest("contraseñas", "es") == []
    assert len(asked) == first


def test_a_word_that_only_carries_a_sentence_has_no_name() -> None:
    assert near("avec", "fr")[0] == near("haben", "de")[0] == ""


def test_a_word_is_that_of_its_own_language() -> None:
    """What is written alike means what it does in the language of the query."""
    store = word_vectors.StoredWords({"data", "date", "art", "type"}.intersection, "en")
    assert store.nearest("data", "pt")[0].term == "date"
    assert store.nearest("data", "en")[0].term == "data"
    assert word_vectors.is_of("data", "pt")
    assert not word_vectors.is_of("data", "en")


@pytest.mark.parametrize("word", ["ändern", "ändere", "aendern", "aendere", "Änderung"])
def test_umlauts_may_be_spelled_out(word: str) -> None:
    assert near(word, "de")[0] == "chang"


def test_words_that_belong_together_are_one() -> None:
    assert word_vectors.is_of("copia de seguridad", "es")
    assert near("mot de passe", "fr")[0] == "password"


def test_a_word_is_told_in_english_whatever_a_store_has() -> None:
    assert word_vectors.in_english("bezahlen", "de") in ("pay", "paying", "payment", "paid")
    assert word_vectors.in_english("qwfpgj", "de") == ""


def test_words_that_are_near_are_told_from_words_that_are_not() -> None:
    password, clave, banana = map(word_vectors.vector, ("password", "contraseña", "banana"))
    assert password is not None
    assert clave is not None
    assert banana is not None
    assert word_vectors.similarity(password, password) == pytest.approx(1.0, abs=0.02)
    assert word_vectors.similarity(password, clave) > 0.7 > 0.4
    assert word_vectors.similarity(password, banana) < 0.4


def test_chinese_is_cut_into_words_that_are_known() -> None:
    assert word_vectors.words_of("更改密码") == ["更改", "密码"]
    assert word_vectors.words_of("Café au lait, don't") == ["Café", "au", "lait", "don't"]
    assert "".join(word_vectors.words_of("囧" * 500)) == "囧" * 200


def test_japanese_and_korean_are_cut_where_a_word_ends() -> None:
    assert word_vectors.words_of("文書をインポートする") == ["文書", "インポート"]
    assert word_vectors.words_of("비밀번호를 변경") == ["비밀번호", "변경"]


def test_what_is_packed_is_read_as_it_was() -> None:
    packed = word_vectors.pack(
        words=["a", "é"], vectors=b"\x01\xff\x02\xfe", starts=[0, 1, 2], beside=[[0, 1], [1, 0]]
    )
    words, vectors, starts, beside = word_vectors.unpack(packed)
    assert words == ("a", "é")
    assert list(vectors) == [1, -1, 2, -2]
    assert starts == (0, 1, 2)
    assert [set(row) for row in beside] == [{0, 1}, {0, 1}]
