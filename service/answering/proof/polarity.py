"""Tell what a sentence denies and which of two opposites it names, in the languages we know."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Collection
from typing import Final

from service.language import tags

_EN: Final = r"\b(?:not|no|never|none|nor|nobody|nothing|nowhere|cannot|neither|unable|without)\b"
_NEGATIONS: Final = {
    "en": rf"{_EN}|n['’]t\b",
    "es": r"\b(?:no|nunca|jamás|ni|sin|ningún|ninguna?|nadie|nada|tampoco)\b",
    "fr": r"\b(?:ne|pas|jamais|aucune?|ni|sans|personne|rien|nulle?)\b|\bn['’]",
    "de": r"\b(?:nicht|kein(?:e[nmrs]?)?|nie|niemals|ohne|niemand|nichts|weder)\b",
    "pt": r"\b(?:não|nunca|jamais|sem|nenhuma?|ninguém|nada|nem)\b",
    "it": r"\b(?:non|mai|senza|nessun[ao]?|niente|nulla|né)\b",
    "nl": r"\b(?:niet|geen|nooit|zonder|niemand|niets|noch)\b",
    "zh": r"不(?!同|断|仅|但|管|如)|没有|没(?!有)|未|无(?!论)|勿|禁止",
    "ja": r"ない|ません|なく|ずに",
}
"""What denies, by language: a word of one ("no", "sin") is another word in the next."""
_COMPILED: Final = {
    language: re.compile(pattern, re.IGNORECASE) for language, pattern in _NEGATIONS.items()
}
_PAIRED: Final = {"fr": 0.5}
"""French denies with two words ("ne … pas"), of which speech and captions drop one."""
_OPPOSITES: Final = tuple(
    tuple(pair.split("/"))
    for pair in (
        "before/after more/less more/fewer most/least increase/decrease increases/decreases"
        " increased/decreased allowed/prohibited allowed/forbidden minimum/maximum always/never"
        " with/without higher/lower highest/lowest first/last open/closed open/close opens/closes"
        " enable/disable enabled/disabled enables/disables accepted/rejected accept/reject"
        " includes/excludes include/exclude included/excluded earlier/later above/below"
        " starts/ends start/end start/stop all/none required/optional must/may true/false"
        " can/cannot on/off larger/smaller longer/shorter faster/slower cheaper/dearer"
        " weekdays/weekends public/private buy/sell add/remove added/removed add/delete left/right"
        " up/down over/under inside/outside possible/impossible legal/illegal valid/invalid"
        " available/unavailable safe/unsafe free/paid same/different online/offline day/night"
        " noon/midnight daily/weekly daily/monthly weekly/monthly monthly/yearly weekly/yearly"
        " morning/evening parent/child borrower/lender buyer/seller tenant/landlord rise/fall"
        " antes/después más/menos siempre/nunca con/sin abierto/cerrado máximo/mínimo"
        " primero/último obligatorio/opcional permitido/prohibido aumentar/disminuir mayor/menor"
        " mediodía/medianoche midi/minuit mittag/mitternacht"
        " avant/après plus/moins toujours/jamais avec/sans ouvert/fermé maximum/minimum"
        " premier/dernier obligatoire/facultatif autorisé/interdit augmenter/diminuer"
        " vor/nach mehr/weniger immer/nie mit/ohne offen/geschlossen höchstens/mindestens"
        " erste/letzte erlaubt/verboten steigt/sinkt früher/später über/unter"
        " 之前/之后 以前/以后 最多/最少 打开/关闭 启用/禁用 允许/禁止 增加/减少 必须/可以"
    ).split()
)


def denials(sentence: str, language: str) -> int:
    """Return how often *sentence* denies something; two denials are not the same as one."""
    base = tags.base(language)
    found = _COMPILED.get(base, _COMPILED["en"]).findall(sentence)
    return round(len(found) * _PAIRED.get(base, 1.0) + 0.01)


def opposites(words: Collection[str]) -> list[tuple[str, str]]:
    """Return those of *words*, in lower case, whose opposite is not among them, each with that."""
    return [
        (word, other) for word in words for other in _opposite().get(word, ()) if other not in words
    ]


@functools.cache
def _opposite() -> dict[str, list[str]]:
    found = dict[str, list[str]]()
    for pair in _OPPOSITES:
        for word, other in itertools.permutations(pair):
            found.setdefault(word, []).append(other)
    return found
