"""Which language a text is told to be in."""

from __future__ import annotations

import pytest

from service.language import detection
from tests.language.short_queries import QUERIES


@pytest.mark.parametrize("language", QUERIES)
def test_a_text_tells_its_language(language: str) -> None:
    assert detection.detect(". ".join(QUERIES[language]), "") == language


@pytest.mark.parametrize("language", QUERIES)
def test_a_short_query_is_never_taken_for_another_language(language: str) -> None:
    told = {detection.detect(query, "") for query in QUERIES[language]}
    assert told <= {language, ""}


@pytest.mark.parametrize("default", ["en", "es", ""])
def test_what_does_not_tell_is_in_the_default(default: str) -> None:
    """The default changes nothing else: finding and saying have theirs from different places."""
    assert detection.detect("reset password", default) == default
    assert detection.detect("", default) == default
    assert detection.detect("wie lange dauert das", default) == "de"


def test_a_query_that_does_not_tell_is_in_the_language_of_the_texts() -> None:
    texts = ["El envío es gratis para los clientes que pagan con tarjeta."]
    assert detection.detect_in("Login", texts) == "es"
    assert detection.detect_in("how do I log in", texts) == "en"
    assert detection.detect_in("Login", ["Login"]) == "en"
    assert detection.detect_in("Login", []) == "en"


def test_the_texts_are_not_read_where_the_query_tells() -> None:
    def texts() -> None:
        raise AssertionError("read")

    assert detection.detect_in("how do I log in", (texts() or "" for _ in "x")) == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("パスワードを変更する", "ja"),
        ("비밀번호 변경", "ko"),
        ("重置 Login.gov 密码", "zh"),
        ("сменить пароль", "ru"),
        ("αλλαγή κωδικού", "el"),
        ("تغيير كلمة المرور", "ar"),
        ("கடவுச்சொல்", "ta"),
        ("contraseña", "es"),
        ("cartões", "pt"),
        ("Straße", "de"),
    ],
)
def test_letters_tell(text: str, language: str) -> None:
    assert detection.detect(text) == language


def test_a_word_that_comes_again_and_again_is_one_word() -> None:
    """A list of addresses is not Portuguese."""
    addresses = " ".join(f"https://host{n}.example.com/docs" for n in range(50))
    assert detection.detect(f"{addresses} Read them in the list.") == "en"


def test_code_is_in_no_language() -> None:
    assert detection.detect("for (int i = 0; i < n; i++) { die(x[i]); }" * 20, "") in {"", "en"}
