"""What a BCP 47 tag names."""

from __future__ import annotations

import pytest

from service.language import tags


@pytest.mark.parametrize("tag", ["pt", "pt-BR", "PT_br", " pt-Latn-BR "])
def test_the_language_comes_first(tag: str) -> None:
    assert tags.base(tag) == "pt"
