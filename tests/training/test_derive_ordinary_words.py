"""The program that derives the ordinary words of English."""

from __future__ import annotations

from tests.training import derive_ordinary_words


def test_long_words_are_kept_and_short_ones_where_they_are_common() -> None:
    common = [f"common{at:04} {100_000 - at}" for at in range(derive_ordinary_words.SHORT)]
    rare = [f"rare{at:05} {50_000 - at}" for at in range(derive_ordinary_words.WORDS)]
    found = derive_ordinary_words.derived([*rare, "acc 7", "to 200000", "key 200000", *common])
    assert found == sorted(found)
    assert "key" in found
    assert not {"acc", "to", "rare31999"}.intersection(found)
    assert len(found) == derive_ordinary_words.WORDS - 1


def test_the_file_is_laid_out_as_the_program_does() -> None:
    kept = derive_ordinary_words.OUT.read_text("utf-8")
    assert derive_ordinary_words.laid_out(kept.split()) == kept
