"""Rate texts for harm by words and patterns, and hold them to what callers forbid.

This is a modest filter: it knows blunt forms of harm in English (``harms.txt``) and sees neither
irony nor context. A single alarming word (a weapons policy, a suicide hotline) stays negligible;
phrases that attack, instruct or threaten count. Slurs are known by digest only, so that nobody has
to read them.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import itertools
import math
import re
from collections.abc import Sequence
from typing import Final

from service.language import words
from sessions.resources.answer_query import HarmBlockThreshold, SafetySpec
from sessions.resources.answers import HarmCategory, HarmProbability, HarmSeverity, SafetyRating

_SLURS: Final = frozenset(
    "044eb98b 08a841e9 0ce875d6 120f6e5b 158869a9 16ea09fc 17a110e5 1e02eec4 22fc75e6 268651b3"
    " 333f7618 3b1e0d7c 402f7ebd 45cd3e1b 5b3ae48b 7122c9a1 82159dd0 8f5083e3 98b52c4b c1cabb6f"
    " c3de533e cc020323 da0a6b1b daec0c23 e7b98c6a eef3bd09 f9d0d9b1".split()
)  # fmt: skip
_SLUR_POINTS: Final = 1.6
_REPORTED: Final = re.compile(
    r"\b(?:report(?:s|ed|ing)?|prevent\w*|protect\w*|illegal|unlawful|crimes?|criminals?|attackers?"
    r"|scammers?|fraudsters?|thieves|hackers?|victims?|permission|prohibited|forbidden|fined?"
    r"|infect\w*|pregnan\w*|condoms?|health|patients?|treatment|non-solicited|fees?)\b",
    re.IGNORECASE,
)
"""What tells that a sentence warns of harm, forbids it or treats it."""
_STOP: Final = re.compile(r"[.!?\n]\s")
_HELPS: Final = re.compile(
    r"\b(?:988|911|112|999|hotline|helpline|lifeline|crisis line|emergency|doctor|therapist)\b",
    re.IGNORECASE,
)
"""What tells that it names help."""
_BLUNT: Final = 2.0
"""Points of what only a sentence that names help may say: "it is illegal, but" is said of all."""
_WARNING_SHARE: Final = 0.15
"""What then is left of its points: three such hints are negligible together."""
_MATCHES: Final = 20
"""Matches of a pattern that are looked at."""
_AROUND: Final = 200
"""Characters before and after that belong to a sentence at most."""
_LEVELS: Final = (0.3, 0.5, 0.75)
"""From these scores on a probability or severity is low, medium, high."""
_BLOCKED_FROM: Final = {
    HarmBlockThreshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED: HarmProbability.LOW,
    HarmBlockThreshold.BLOCK_LOW_AND_ABOVE: HarmProbability.LOW,
    HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE: HarmProbability.MEDIUM,
    HarmBlockThreshold.BLOCK_ONLY_HIGH: HarmProbability.HIGH,
}
_ORDER: Final = (
    HarmProbability.NEGLIGIBLE,
    HarmProbability.LOW,
    HarmProbability.MEDIUM,
    HarmProbability.HIGH,
)
_SEVERITIES: Final = (
    HarmSeverity.HARM_SEVERITY_NEGLIGIBLE,
    HarmSeverity.HARM_SEVERITY_LOW,
    HarmSeverity.HARM_SEVERITY_MEDIUM,
    HarmSeverity.HARM_SEVERITY_HIGH,
)


def rate(text: str, spec: SafetySpec | None = None) -> tuple[SafetyRating, ...]:
    """Return one rating of *text* per harm category; *spec* says which of them block."""
    thresholds = _thresholds(spec)
    return tuple(
        _rating(category, points(text, category), thresholds.get(category))
        for category in _patterns()
    )


def blocked(ratings: Sequence[SafetyRating]) -> bool:
    """Tell whether a text with these *ratings* must not be shown."""
    return any(rating.blocked for rating in ratings)


def points(text: str, category: HarmCategory) -> list[float]:
    """Return what speaks for harm of *category* in *text*: 0.8 (a hint) to 2 (blunt)."""
    found = list[float]()
    for value, pattern in _patterns()[category]:
        matches = list(itertools.islice(pattern.finditer(text), _MATCHES))
        if matches:
            meant = any(_means(text, match, value) for match in matches)
            found.append(value if meant else value * _WARNING_SHARE)
    if category is HarmCategory.HARM_CATEGORY_HATE_SPEECH:
        found += [_SLUR_POINTS for word in set(words.words(text.lower())) if _is_slur(word)]
    return found


def _means(text: str, match: re.Match[str], value: float) -> bool:
    """Tell whether the sentence of *match* does what it says, and does not warn of it."""
    before = _STOP.split(text[max(0, match.start() - _AROUND) : match.start()])[-1]
    after = _STOP.split(text[match.end() : match.end() + _AROUND], maxsplit=1)[0]
    sentence = before + match[0] + after
    return not _HELPS.search(sentence) and (value >= _BLUNT or not _REPORTED.search(sentence))


def _rating(
    category: HarmCategory, found: list[float], threshold: HarmBlockThreshold | None
) -> SafetyRating:
    probability_score = round(1 - math.exp(-0.6 * sum(found)), 3) if found else 0.02
    severity_score = round(0.4 * max(found), 3) if found else 0.02
    probability = _ORDER[sum(probability_score >= level for level in _LEVELS)]
    least = _BLOCKED_FROM.get(threshold) if threshold is not None else None
    return SafetyRating(
        category=category,
        probability=probability,
        probability_score=probability_score,
        severity=_SEVERITIES[sum(severity_score >= level for level in _LEVELS)],
        severity_score=severity_score,
        blocked=least is not None and _ORDER.index(probability) >= _ORDER.index(least),
    )


def _thresholds(spec: SafetySpec | None) -> dict[HarmCategory, HarmBlockThreshold]:
    """Return the threshold of each category that *spec* filters; without settings, all of them."""
    if spec is None or not spec.enable:
        return {}
    if not spec.safety_settings:
        return dict.fromkeys(_patterns(), HarmBlockThreshold.BLOCK_LOW_AND_ABOVE)
    return {setting.category: setting.threshold for setting in spec.safety_settings}


def _is_slur(word: str) -> bool:
    return hashlib.sha256(word.encode()).hexdigest()[:8] in _SLURS


@functools.cache
def _patterns() -> dict[HarmCategory, list[tuple[float, re.Pattern[str]]]]:
    """Read ``harms.txt``: per category, the points of each pattern."""
    file = importlib.resources.files("service.answering.proof").joinpath("harms.txt")
    lists, patterns = dict[str, str](), dict[HarmCategory, list[tuple[float, re.Pattern[str]]]]()
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, value, pattern = line.split("\t")
        if name.startswith("{"):
            lists[name] = pattern
            continue
        for list_name, members in lists.items():
            pattern = pattern.replace(list_name, members)
        category = HarmCategory[f"HARM_CATEGORY_{name}"]
        compiled = re.compile(pattern, re.IGNORECASE)
        patterns.setdefault(category, []).append((float(value), compiled))
    return patterns
