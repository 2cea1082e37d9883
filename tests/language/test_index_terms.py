"""What an index is given of a text."""

from __future__ import annotations

from service.language import index_terms


def test_terms_are_folded_stems() -> None:
    assert index_terms.of("Renewing the Licenses", "en") == ["renew", "the", "licens"]
    assert index_terms.of("Vérifications d'identité", "fr-CA") == ["verif", "d", "identit"]


def test_a_spaceless_script_gives_pairs() -> None:
    assert index_terms.of("重置密码 now", "zh") == ["重置", "置密", "密码", "now"]
    assert index_terms.of("비밀번호", "ko") == ["비밀", "밀번", "번호"]
