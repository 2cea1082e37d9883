"""Texts of the operator: one for everybody, or one for each language."""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec

_TAG: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
Wording = Text | dict[str, Text]
"""One text for everybody, or a text for each language (BCP 47): ``{en = "Hi", es = "Hola"}``."""


_Asked = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Question = _Asked | dict[str, _Asked]
"""A `Wording` that is short enough for a button."""


def in_language(wording: Wording, language: str) -> str:
    """Return *wording* in *language*, else in English, else in the first that it has."""
    if isinstance(wording, str):
        return wording
    by_tag = {tag.lower(): text for tag, text in wording.items()}
    base = language.lower().partition("-")[0]
    bases = {tag.partition("-")[0]: text for tag, text in reversed(by_tag.items())}
    candidates = (by_tag.get(language.lower()), bases.get(base), bases.get("en"))
    return next((text for text in candidates if text), next(iter(by_tag.values())))


def check_languages(wording: Wording) -> None:
    """Refuse a *wording* whose keys name no languages, or that has none.

    Raises:
        ValueError: it says which key, or that there is none.
    """
    if isinstance(wording, str):
        return
    if not wording:
        raise ValueError("give a text for at least one language")
    for tag in wording:
        check_tag(tag)


def check_tag(tag: str) -> None:
    """Refuse a *tag* that names no language.

    Raises:
        ValueError: it is none of BCP 47.
    """
    if not _TAG.fullmatch(tag):
        raise ValueError(f"'{tag}' is no language; give tags such as en, es or pt-BR")
