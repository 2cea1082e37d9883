"""What the words of a query in another language are."""

from __future__ import annotations

import time

import pytest

from service.language.queries import foreign_words


@pytest.mark.parametrize(
    ("language", "query", "words"),
    [
        ("es", "¿Cómo cambio la base de datos?", ["cambio", "base de datos"]),
        ("de", "Welche Rechnungsdatei gibt es?", ["Rechnung", "datei"]),
        ("fr", "Où est l'identifiant ?", ["identifiant"]),
        ("fr", "Pourrais-je avoir l'aide d'une agence ?", ["aide", "agence"]),
        ("it", "Quanto costa l'iscrizione?", ["iscrizione"]),
        ("zh", "如何更改密码？", ["更改", "密码"]),
        ("ja", "パスワードを変更するには？", ["パスワード", "変更"]),
        ("ko", "비밀번호를 변경하려면?", ["비밀번호", "변경"]),
    ],
)
def test_a_query_has_the_words_that_tell_something(
    language: str, query: str, words: list[str]
) -> None:
    assert [one for one in foreign_words.of(query, language) if one in words] == words


@pytest.mark.parametrize(
    ("query", "bare"),
    [
        ("如何刪除我的帳戶？", ["删除", "账户"]),
        ("我忘记了密码", ["忘记", "密码"]),
        ("自我介绍的目的", ["自我介绍的目的"]),
        ("怎么办", ["怎么办"]),
        ("How do I start?", ["How", "do", "I", "start"]),
    ],
)
def test_what_carries_a_chinese_query_is_cut_out(query: str, bare: list[str]) -> None:
    assert foreign_words.bare(query, "zh").replace("？", " ").replace("?", " ").split() == bare


def test_what_is_known_as_it_is_is_not_cut() -> None:
    assert foreign_words.of("Rechnungsdatei", "de", {"rechnungsdatei"}) == ["Rechnungsdatei"]


def test_a_word_is_named_without_its_accents() -> None:
    assert foreign_words.key("Contraseña") == "contrasena"
    assert foreign_words.key("密码") == "密码"
    assert foreign_words.key("?!") == ""


def test_a_query_without_end_is_read_at_once() -> None:
    started = time.process_time()
    foreign_words.of("von " * 1_000 + "数据库" * 1_000, "de")
    assert time.process_time() - started < 1.0
