"""A query as choosing sees it: its kind, its terms, and how telling each of them is."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from service.generation.extraction import cues
from service.generation.extraction.queries import deeds, headings, messages, negations
from service.generation.extraction.queries.translated_query import TranslatedQuery
from service.language import chinese, content_terms, question_kinds, synonyms, word_vectors, words
from service.language.queries import foreign_words, identifiers, section_numbers, subject_names
from service.language.question_kinds import QuestionKind
from service.query_readings import QueryReading

_NEGATION: Final = 2.0
"""What such a word tells, of the 8 that a rare term does."""
_PHONE: Final = re.compile(
    r"\b(?:(?:tele)?phone (?:number )?(?:of|for|to)|phone number|number (?:\w+ ){0,3}call"
    r"|tel[eé]fono de"
    r"|num[eé]ro de t[eé]l[eé]phone|telefonnummer)\b|电话号码",
    re.IGNORECASE,
)
_ABOUT_A_NUMBER: Final = frozenset(
    (QuestionKind.HOW_TO, QuestionKind.REASON, QuestionKind.YES_NO, QuestionKind.LIST)
)
"""Questions that a telephone number does not answer, though they speak of one."""
_MEASURED: Final = frozenset(
    (
        QuestionKind.NUMBER,
        QuestionKind.DATE,
        QuestionKind.PLACE,
        QuestionKind.PERSON,
        QuestionKind.FACT,
    )
)
_PERIOD: Final = re.compile(
    r"\bhow many (?:\w+ )?(?:seconds|minutes|hours|days|weeks|months|years)\b", re.IGNORECASE
)
_BOUND: Final = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|limits?|total|at most|at least|by default|default|quotas?"
    r"|upper|lower|m[aá]xim\w+|m[ií]nim\w+|l[ií]mite|maximal\w*|limite"
    r"|how (?:big|large|long)|how many\b[^?]{0,40} (?:can|may|could|allowed))\b|最大|最多|上限",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(
    r"\b(?:how (?:many|much)|cu[aá]nt[oa]s|combien d(?:e |['’])|wie ?viele?)"
    r"\s*([\w-]+(?: (?:of|de) \w+)?)",
    re.IGNORECASE,
)
_SCALE: Final = 8.0
"""What the most telling word weighs, as `content_terms.weight` has it."""
_ASKING: Final = 0.35
"""What a word that only asks counts, beside one of the topic."""
_CONTEXT: Final = 0.4
"""What a word of the context counts, beside one of the query."""
_SUBJECT: Final = 0.7
"""The same of one that the query has but a pronoun for: "how do I delete it?"."""
_CONTEXT_IN_ALL: Final = 0.3
"""What all of them count at most, beside all of the query: it is the query that is asked."""
_CONTEXT_OF_PART: Final = 0.6
"""The same of a mere part of a question: "in a cell?" says nothing of what is done there."""
_SAID_BEFORE: Final = 0.25
"""What is left of a word of the context where a sentence is looked at by itself."""
_ABSENT: Final = 0.4
"""What is left of a term that no section has: it tells none of them from another."""
_SOUGHT: Final = 3
"""Such terms, the most telling, for which near words are sought: each takes 0.5 ms."""
_MEANS: Final = 0.6
"""The cosine from which a word is read as another one."""
_COMMON: Final = 1.2
"""A term that all sections have still tells a little: what is left of this then."""

_Reading = tuple[tuple[str, ...], float]
"""What a term is read as, and how telling it is."""


class WeightedQuery:
    """The terms of a query with their weights; what stands everywhere in the sources tells less."""

    def __init__(
        self,
        query: str,
        language: str = "en",
        reading: QueryReading | None = None,
        *,
        context: str = "",
        subject: str = "",
        translated: TranslatedQuery | None = None,
        part_of: QuestionKind | None = None,
        goes_on: bool = False,
        asked: str = "",
    ) -> None:
        """Weigh the words of *query*, and less those of *context* that it does not repeat.

        *language* is that of the pages; a query in another one comes *translated*. What is
        only *part_of* a question of this kind is read like that one, the *context*.
        Where it *goes_on* with a turn before, the context was answered there, and a pronoun of the
        query stands for the *subject*. Of a query that was made whole but a part was *asked*.
        """
        self.text = query
        self.goes_on = goes_on
        """Whether a turn came before."""
        self.made_whole = bool(asked)
        """Whether some of its words are those of the question before."""
        self.language = language
        self.words = frozenset(re.findall(r"\w+", query.lower()))
        self.kind, self.topic, text = translated or _untranslated(query, language)
        if part_of is not None:
            self.kind, self.topic = part_of, text
        self.cue = _cue(query if part_of is None else context, self.kind)
        """What an answer looks like: see `cues.fit`."""
        self.bounded = _BOUND.search(query) is not None
        """Whether a greatest, least or usual number is asked."""
        named = question_kinds.identifiers(query)
        self.identifiers = tuple(map(identifiers.exactly, named))
        self._messages = messages.of(query, self.kind, named)
        readings = _readings(reading, language)
        terms = tuple(dict.fromkeys(content_terms.of(text, language)))
        topic = {*content_terms.of(self.topic, language)} or {*terms}
        self.negations = negations.of(query, language)
        self.telling = _telling(terms, topic, readings)
        self._own = frozenset(self.telling) if goes_on else frozenset[str]()
        if asked:
            self._own = frozenset(self.telling.keys() & content_terms.of(asked, language))
            known = self.telling.keys() - self._own
            self.telling |= {term: _SUBJECT * self.telling[term] for term in known}
        stands = frozenset(content_terms.of(subject, language)) - self.telling.keys()
        self.telling |= {term: _SUBJECT * _weight(term, readings) for term in stands}
        most = _CONTEXT_IN_ALL if part_of is None else _CONTEXT_OF_PART
        self.telling |= _around(self.telling, content_terms.of(context, language), readings, most)
        self._reading = None if context else reading
        self.weights = dict(self.telling)
        self.topic_terms = frozenset((topic | stands) & self.telling.keys())
        doing = self.kind is QuestionKind.HOW_TO
        self._deeds = deeds.others(self.topic, language) if doing else frozenset[str]()
        self._variant_of = _variants(readings, synonyms.forms(text, language), self.telling)
        self._phrases = [
            (stems, term)
            for stems, term in synonyms.in_full(text, language)
            if term in self.telling and not stems <= self.telling.keys()
        ]
        self._texts: Sequence[Collection[str]] = ()
        self._novelty = dict[str, float]()
        self._terms = terms
        self._pairs = set(itertools.pairwise(terms))
        self._spelt = dict(content_terms.spelt(words.words(text), language))
        self._all = self.telling.keys() | self._variant_of.keys()
        self.total = math.fsum(self.weights.values()) or 1.0

    @functools.cached_property
    def counted(self) -> frozenset[str]:
        """The terms of what is counted, or measured: of "how many nights" that is "night"."""
        asked = _HOW_MANY.search(self.text)
        terms = content_terms.of(asked[1], self.language) if asked else ()
        return frozenset(terms) & self.telling.keys()

    def spread(self, known: Sequence[Collection[str]]) -> None:
        """Let terms count less the more of the texts with these terms have them."""
        having = Counter[str]()
        for one in known:
            having.update(self.asked(one))
        for variant, term in self._nearest(known, having).items():
            self._variant_of[variant] = term
            self._all |= {variant}
            having[term] += sum(variant in one for one in known)
        self._texts = known
        self._novelty.clear()
        seams = chinese.seams(self._terms, lambda term: having[term] > 0)
        self.weights = {
            term: (term not in seams)
            * weight
            * (_COMMON - min(having[term] / max(len(known), 1), 1.0))
            * (1.0 if having[term] else _ABSENT)
            for term, weight in self.telling.items()
        }
        self.total = math.fsum(self.weights.values()) or 1.0

    def _nearest(
        self, known: Sequence[Collection[str]], having: Mapping[str, int]
    ) -> dict[str, str]:
        """Return terms of the texts that mean nearly what terms do that none of them has.

        A page that says "only once" answers who asks about "twice"; a name means no other.
        """
        named = {word.lower() for word in _NAMED.findall(self.text)}
        sought = sorted(
            (
                term
                for term in self.telling
                if not having[term] and self._spelt.get(term, "").lower() not in {"", *named}
            ),
            key=lambda term: -self.telling[term],
        )[:_SOUGHT]
        if not sought:
            return {}
        stored = word_vectors.StoredWords(frozenset().union(*known).intersection, self.language)
        return {
            near.term: term
            for term in reversed(sought)
            for near in stored.nearest(self._spelt[term], self.language, least=_MEANS)
            if near.term not in self.telling
        }

    @functools.cached_property
    def is_of_all(self) -> bool:
        """Whether it asks what all pages are about, in words that nearly all of them have."""
        return (
            self.kind is QuestionKind.DEFINITION
            and self._reading is not None
            and subject_names.names_only_subject(self.text, self._reading)
        )

    def is_quoted_by(self, text: str) -> bool:
        """Tell whether *text* says word for word what the query is, or quotes: a message."""
        spoken = messages.spoken(text)
        return any(one in spoken for one in self._messages)

    def asked(self, known: Collection[str]) -> frozenset[str]:
        """Return the terms of the query that *known* has, as they are or as they are read."""
        known = known if isinstance(known, (set, frozenset)) else {*known}
        found = self._all & known
        called = [term for stems, term in self._phrases if stems <= known]
        if not (self._variant_of or called):
            return frozenset(found)
        return frozenset((*(self._variant_of.get(term, term) for term in found), *called))

    def spelt(self, term: str) -> str:
        """Return how the query spells *term*, in lower case, "" where it does not have it."""
        return self._spelt.get(term, "").lower()

    def weigh(self, asked: Iterable[str]) -> float:
        """Return how telling *asked* are together, whatever order a set has them in."""
        # A plain sum depends on it by a last bit, which decides between texts that say as much.
        return math.fsum([self.weights[term] for term in asked])

    def share(self, asked: Iterable[str]) -> float:
        """Return how much of the query *asked* is, 0..1."""
        return self.weigh(asked) / self.total

    def own_share(self, asked: Iterable[str], before: float = _SAID_BEFORE) -> float:
        """Return how much of the query's own words *asked* is, 0..1; of its context *before*.

        What was asked in the turn before need not be said again in the sentence that answers.
        """
        if not self._own and before:
            return self.share(asked)
        own = self._own
        total, held = (
            math.fsum([self.weights[term] * (1.0 if term in own else before) for term in some])
            for some in (self.weights, asked)
        )
        return held / total if total else 0.0

    def pairs(self, terms: Sequence[str]) -> float:
        """Return the share of the query's pairs of neighbouring terms that are near in *terms*."""
        if not self._pairs or len(terms) < 2:
            return 0.0
        near = {*itertools.pairwise(terms), *zip(terms, terms[2:], strict=False)}
        return len(self._pairs & near) / len(self._pairs)

    def likeness(self, heading: str) -> float:
        """Return how much *heading* is what is asked, 0..1: all of it, and nothing else.

        One that asks another kind of question, or turns the sense by a "not", is less like it.
        Where a question stands among other sentences, it alone is what is asked.
        """
        return max(map(self._likeness, headings.questions(heading)))

    def _likeness(self, heading: str) -> float:
        known, asks, turned = self._read(heading)
        common = self.asked(known) & self.topic_terms
        if not common:
            return 0.0
        deeds_of = self._deeds if known & self._deeds else frozenset[str]()
        common |= deeds_of & self.topic_terms
        held = math.fsum([self.telling[term] for term in common])
        recall = held / math.fsum([self.telling[term] for term in self.topic_terms])
        rest = math.fsum(
            self._weigh_other(term)
            for term in known - headings.named_beside(heading, self.language, common)
            if self._variant_of.get(term, term) not in self.topic_terms and term not in deeds_of
        )
        precision = held / (held + rest) if held else 0.0
        like = 2 * recall * precision / (recall + precision) if held else 0.0
        if asks is self.kind:
            like **= _ALIKE
        elif asks is not None and self.kind is not QuestionKind.OTHER:
            like *= _OTHERWISE
        return like if turned == self.negations else like * _OTHERWISE

    def is_asked_by(self, heading: str) -> bool:
        """Tell whether *heading* is a question, and of the same kind."""
        return any(self._read(one).asks is self.kind for one in headings.questions(heading))

    def _read(self, heading: str) -> headings.HeadingReading:
        if not self.identifiers:  # else "2.1" may be the version, or "off" the state, that is asked
            heading = _QUOTES.sub("", section_numbers.without(heading))
        return headings.read(heading, self.language)

    def _weigh_other(self, term: str) -> float:
        """Return what a term weighs that the query has not: that of every text here, hardly."""
        if term not in self._novelty:
            having = sum(term in one for one in self._texts)
            share = having / max(len(self._texts), 1)
            self._novelty[term] = content_terms.weight(term) * (_COMMON - share) / _COMMON
        return self._novelty[term]


_QUOTES: Final = re.compile('["“”„«»]')
_NAMED: Final = re.compile(r"(?<=\w )[A-Z]\w*")
"""A word with a capital within a sentence, mostly a name."""
_ALIKE: Final = 0.6
"""Raises the likeness of a heading that asks the same kind of question of nearly the same."""
_OTHERWISE: Final = 0.7
"""What is left of the likeness of a heading that asks something else of the same things."""


def _untranslated(query: str, language: str) -> TranslatedQuery:
    """Return what *query* asks in the language of the pages, without words of another."""
    kind, topic = question_kinds.read(query, language)
    bare = foreign_words.bare
    return TranslatedQuery(kind, bare(topic, language), bare(query, language))


def _cue(query: str, kind: QuestionKind) -> str:
    """Return the name of the form that an answer has."""
    if _PHONE.search(query) and kind not in _ABOUT_A_NUMBER:
        return "PHONE"
    if kind is QuestionKind.NUMBER and _PERIOD.search(query):
        return QuestionKind.DURATION.name
    measured = cues.measure(query) if kind in _MEASURED else ""
    if kind is QuestionKind.PRICE and cues.measure(query) == "SHARE":
        return "SHARE"  # "What percentage of my income do I pay?"
    return measured or kind.name


def _telling(
    terms: Sequence[str], topic: Collection[str], readings: Mapping[str, _Reading]
) -> dict[str, float]:
    """Return what each of the *terms* of a query tells, those beside its *topic* less."""
    return {term: _weight(term, readings) * (1.0 if term in topic else _ASKING) for term in terms}


def _around(
    telling: Mapping[str, float],
    context: Iterable[str],
    readings: Mapping[str, _Reading],
    most: float,
) -> dict[str, float]:
    """Return what the terms of the *context* tell that the query does not have: less than these."""
    around = {term: _weight(term, readings) for term in context if term not in telling}
    own, said = sum(telling.values()), sum(around.values())
    share = min(_CONTEXT, most * own / said) if own and said else _CONTEXT
    return {term: share * weight for term, weight in around.items()}


def _weight(term: str, readings: Mapping[str, _Reading]) -> float:
    return readings[term][1] if term in readings else content_terms.weight(term)


def _readings(reading: QueryReading | None, language: str) -> dict[str, _Reading]:
    """Return what each term is read as, and how telling it is."""
    found = dict[str, _Reading]()
    for word in reading.words if reading else ():
        # They are stems, and the stem of a stem may be another: "databas" and "databa".
        stems = content_terms.of_words(word.readings, language)
        variants = tuple(dict.fromkeys((*word.readings, *stems)))
        text = word.readings[0] if reading and reading.language else word.text
        for term in content_terms.of(text, language):
            found[term] = (variants, word.weight * _SCALE)
    return found


def _variants(
    readings: Mapping[str, _Reading], forms: Mapping[str, str], telling: Collection[str]
) -> dict[str, str]:
    """Return what the *telling* terms are read as, and their other *forms*, each with its term."""
    found = {form: term for form, term in forms.items() if term in telling and form not in telling}
    found |= {
        variant: term
        for term, (variants, _) in readings.items()
        if term in telling
        for variant in variants
        if variant not in telling
    }
    return found
