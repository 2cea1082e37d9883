"""Find the words that turn the sense of a text."""

from __future__ import annotations

import re
from typing import Final

NEGATIONS: Final = {
    "en": frozenset("not no never without instead only except unless cannot".split()),
    "es": frozenset("no sin nunca excepto salvo solo".split()),
    "fr": frozenset("pas sans jamais sauf seulement".split()),
    "de": frozenset("nicht kein keine ohne nie statt nur außer".split()),
}
"""Function words that turn the sense of a question: a page about signing in without a phone is
not one about signing in with it."""
_NOT: Final = re.compile(
    r"\A\W*(?:no|cannot|\w+n['’]t|(?:is|are|was|were|does|do|did|has|have|wo|ca)nt)\W*\Z"
)
"""An English word that says "not", mostly with its verb; the apostrophe is often forgotten."""


def of(text: str, language: str) -> frozenset[str]:
    """Return the words of *text* that turn its sense, "not" for those that hold it: "can't"."""
    said = {*text.lower().split()}
    if language[:2] == "en":
        said = {_NOT.sub("not", word) for word in said}
    return NEGATIONS.get(language[:2], frozenset()) & said
