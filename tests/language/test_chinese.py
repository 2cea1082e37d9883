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


@pytest.mark.parametrize(
    ("known", "seams"),
    [
        ({"添加", "打印", "印机"}, {"加打"}),
        ({"添加", "加打", "打印", "印机"}, set[str]()),
        ({"打印", "印机"}, set[str]()),
    ],
)
def test_a_pair_that_only_joins_two_known_words_is_none(known: set[str], seams: set[str]) -> None:
    assert chinese.seams(["添加", "加打", "打印", "印机"], known.__contains__) == seams


def test_words_with_spaces_between_them_have_no_seams() -> None:
    assert chinese.seams(["ab", "bc", "cd"], {"ab", "cd"}.__contains__) == frozenset()
