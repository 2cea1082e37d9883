"""How text is cut into words."""

from __future__ import annotations

import pytest

from service.language import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The driver's fee: $1,250.50", ["The", "driver's", "fee", "1,250.50"]),
        ("l’identité numérique", ["l’identité", "numérique"]),
        ("5G, 2FA and 3rd", ["5G", "2FA", "and", "3rd"]),
        ("snake_case-word", ["snake", "case", "word"]),
        ("重置密码", ["重置", "置密", "密码"]),
        ("用 PIN 码", ["用", "PIN", "码"]),
        ("비밀번호", ["비밀", "밀번", "번호"]),
        ("第3章", ["第", "3", "章"]),
        ("…!", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words.words(text) == expected


@pytest.mark.parametrize(
    "text", ["重置密码 now", "用PIN码", "พาสปอร์ต", "비밀번호 변경", "Straße 5"]
)
def test_spaced_text_has_the_same_words(text: str) -> None:
    """The index cuts at spaces what `words` cuts itself."""
    assert words.spaced(text).split() == words.words(text)
