"""Read a comparison as the two things that it compares."""

from __future__ import annotations

import re
from typing import Final

from service.language import tags

_JOINTS: Final = {
    "en": (r"and|vs\.?|versus", r"or|from|to|with|over"),
    "es": (r"y|e|frente a|vs\.?", r"o|con"),
    "fr": (r"et|vs\.?", r"ou|par rapport [aà]"),
    "de": (r"und|vs\.?", r"oder|zu|mit|von"),
}
"""What stands between the two, by language: the first where it occurs, else the second."""
_ASKED: Final = {
    "en": "What is {}?",
    "es": "¿Qué es {}?",
    "fr": "Qu'est-ce que {} ?",
    "de": "Was ist {}?",
}
_ARTICLE: Final = re.compile(
    r"(?:an?|the|una?|el|la|los|las|une?|les?|eine[mnr]?|ein|der|die|das|dem|den)\s+", re.IGNORECASE
)
_CHOOSING: Final = re.compile(
    r"\A\W*(?:should|shall|do|would|can|could) (?:i|we|you|one) (?:better |rather )?\w+ ",
    re.IGNORECASE,
)
"""What is before two things where somebody asks which of them to take: "Should I use A or B?"."""
_WORDS: Final = 4
"""Words that the name of a thing has at most."""


def sides(topic: str, language: str) -> tuple[str, str] | None:
    """Return the two things that a comparison of this *topic* compares, None for fewer or more."""
    joints = _JOINTS.get(tags.base(language), ())
    if "," in topic:
        return None
    for joint in joints:
        named = _CHOOSING.sub("", topic.strip(" ?.!"), count=1)
        found = re.split(rf"\s+(?:{joint})\s+", named, flags=re.IGNORECASE)
        if len(found) == 1:
            continue
        if len(found) > 2 or not all(one and len(one.split()) <= _WORDS for one in found):
            return None
        first, second = (
            _ARTICLE.sub("", one, count=1) if _ARTICLE.match(one) else one for one in found
        )
        return first, second
    return None


def what_is(side: str, language: str) -> str:
    """Return the question what one of them is."""
    return _ASKED.get(tags.base(language), _ASKED["en"]).format(side)
