"""Traditional characters are read as the simplified ones."""

from __future__ import annotations

import pytest

from service.language import chinese


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("如何刪除我的帳戶？", "如何删除我的账户？"),
        ("錯誤代碼 550", "错误代码 550"),
        ("帐户", "账户"),
        ("如何删除我的账户？", "如何删除我的账户？"),
        ("account", "account"),
    ],
)
def test_characters_are_simplified_in_their_places(text: str, simple: str) -> None:
    assert chinese.simplified(text) == simple


def test_what_is_simple_stays() -> None:
    everything = "".join(map(chr, range(0x3400, 0xFB00)))
    simple = chinese.simplified(everything)
    assert len(simple) == len(everything)
    assert chinese.simplified(simple) == simple
