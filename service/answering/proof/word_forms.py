"""Tell one form of what is written in several: numbers as words, verbs and nouns without rule."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

from service.language import content_terms, tags

_NUMERALS: Final = (
    "2 two dos deux zwei/3 three tres trois drei/4 four cuatro quatre vier/5 five cinco cinq fünf"
    "/6 six seis sechs/7 seven siete sept sieben/8 eight ocho huit acht/9 nine nueve neuf neun"
    "/10 ten diez dix zehn"
)
_ENGLISH: Final = (
    "bear bore born borne/become became/begin began begun/break broke broken/bring brought"
    "/build built/buy bought/catch caught/choose chose chosen/come came/die dead death/draw drew"
    " drawn/drive drove driven/eat ate eaten/fall fell fallen/feel felt/fight fought/find found"
    "/fly flew flown flight/forbid forbade forbidden/forget forgot forgotten/freeze froze frozen"
    "/get got gotten/give gave given/go went gone/grow grew grown/hide hid hidden/hold held"
    "/keep kept/know knew known/lead led/leave left/lend lent/lose lost/make made/mean meant"
    "/meet met/pay paid/ride rode ridden/rise rose risen/run ran/say said/see saw seen/sell sold"
    "/send sent/shake shook shaken/show shown/sing sang sung/sink sank sunk/speak spoke spoken"
    "/spend spent/stand stood/steal stole stolen/swim swam swum/take took taken/teach taught"
    "/tell told/think thought/throw threw thrown/understand understood/wear wore worn/win won"
    "/withdraw withdrew withdrawn/write wrote written/child children/foot feet/man men/mouse mice"
    "/person people/tooth teeth/woman women"
)
_ROUND: Final = re.compile(r"\.0+$")
_REMEMBERED: Final = 1 << 15
"""Words of a language whose forms are kept."""


def of_terms(terms: Iterable[str], language: str) -> list[str]:
    """Return *terms*, those of `content_terms`, each in the form that all its forms share."""
    shared = forms(language)
    return [_form(term, shared) for term in terms]


@functools.lru_cache(maxsize=64)
def by_word(language: str) -> Mapping[str, str]:
    """Return the form of each word that is looked up; "" of a function word."""
    return _ByWord(language)


class _ByWord(dict[str, str]):
    """Words with their forms; starts anew when it is full."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language, self._shared = language, forms(language)

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = content_terms.of_words((word,), self._language)
        made = self[word] = _form(found[0], self._shared) if found else ""
        return made


def _form(term: str, shared: Mapping[str, str]) -> str:
    return _ROUND.sub("", term) if term[-1] == "0" and "." in term else shared.get(term, term)


@functools.lru_cache(maxsize=64)  # documents name their languages as they like
def forms(language: str) -> Mapping[str, str]:
    """Return the terms that are written as another one, with that."""
    spelt = _NUMERALS if tags.base(language) != "en" else f"{_NUMERALS}/{_ENGLISH}"
    return {
        content_terms.term_of(word, language): content_terms.term_of(first, language)
        for first, *others in map(str.split, spelt.split("/"))
        for word in others
    }
