"""Read the words of a query that a data store does not know: as its own words, or as strange ones.

An ordinary word is read as one of the store that means nearly the same, "printouts" as what their
verb is. What remains and is asked about, the store has nothing on.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from service.corpus.ranking import spelling
from service.corpus.ranking.queries.terms import Alien, QueryTerm, Statistics, Synonym
from service.language import content_terms, index_terms, tags
from service.language.queries import word_roles
from service.language.queries.word_roles import Role

SYNONYM: Final = 0.6
"""What a synonym finds beside the word itself, of words that are as rare."""
_TELLING: Final = 6.5
"""What a word tells that a query asks about: "forgot" and "anywhere" ask about nothing."""
_RARE_NAME: Final = 0.7
"""What a name tells, beside a word that no chunk has, that the store has in passing at most."""
_SOUGHT: Final = 3
"""Unknown words, the most telling, for which others are sought: each takes half a millisecond."""
_MEANS: Final = 0.85
"""The cosine from which another word means the same: "vacation" and "holiday" have .93, but
"membership" and "member" .82, and "refund" and "return" .77, which are asked about apart."""
_NEAREST: Final = 3
_PARTICLE: Final = re.compile(r"(\w{4,})(?:out|up|in|off|down|over|back|away|on)s?")
"""What a verb and its particle make: "printouts", "checkout"."""
_JOINED: Final = r"\s*(?:,|/|&|\b(?:and|or|y|e|o|et|ou|und|oder)\b|和|与|或)\s*(?:the )?"
_AS_VERB: Final = 0.6
"""What a chunk has of such a word that has the verb."""


def read(
    terms: Sequence[QueryTerm], query: str, language: str, store: Statistics
) -> list[QueryTerm]:
    """Return *terms* of *query* with what the store has instead of those it lacks, and aliens."""
    return _with_near(_with_aliens(terms, query, language, store), query, language, store)


def _with_near(
    terms: Sequence[QueryTerm], query: str, language: str, store: Statistics
) -> list[QueryTerm]:
    """Return *terms*, those that the store lacks with what it has of their meaning."""
    lacked = [term for term in terms if _is_unknown(term)]
    if not lacked:
        return list(terms)
    lacked.sort(key=lambda term: -content_terms.weight(term.variants[0]))
    own = frozenset(variant for term in terms for variant in term.variants)
    roles = word_roles.read(query, language).of
    near = {
        term.text: tuple(one for one in _near(term, language, store) if one.stems[0] not in own)
        for term in lacked[:_SOUGHT]
        if roles.get(term.text) is not Role.NAME
    }
    return [_called(term, near.get(term.text, ())) for term in terms]


def _called(term: QueryTerm, near: tuple[Synonym, ...]) -> QueryTerm:
    """Return *term*, called what is *near*; it stays alien to chunks that have none of these."""
    if not near:
        return term
    beside = (*term.beside, *(one.stems[0] for one in near)) if term.alien is not Alien.NO else ()
    return msgspec.structs.replace(term, synonyms=near, beside=beside)


def _near(term: QueryTerm, language: str, store: Statistics) -> list[Synonym]:
    """Return what *store* has of the meaning of *term*, which it lacks."""
    if term.ordinary:
        found = [
            Synonym((near.term,), SYNONYM * near.cosine**2, near.cosine**2)
            for near in store.near(term.text, language)
            if near.term and near.cosine >= _MEANS
        ]
        if found:
            return found[:_NEAREST]
    verb = _PARTICLE.fullmatch(term.text)
    stems = tuple(index_terms.of(verb[1], language)) if verb else ()
    return [Synonym(stems, SYNONYM * _AS_VERB, _AS_VERB)] if stems and store.knows(stems) else []


def _with_aliens(
    terms: Sequence[QueryTerm], query: str, language: str, store: Statistics
) -> list[QueryTerm]:
    """Return *terms* with what the store hardly knows told apart.

    That is what the query asks about, or it only belongs to the asking: a name in a greeting.
    """
    rare = _RARE_NAME * store.idf(())
    if not any(_is_unknown(term) or (term.own and term.idf >= rare) for term in terms):
        return list(terms)
    roles = word_roles.read(query, language)
    known = {term.text for term in terms if term.known}
    joined = _side_by_side(
        query, [term.text for term in terms if roles.of.get(term.text) is Role.NAME]
    )
    found: list[QueryTerm] = []
    for term in terms:
        role = roles.of.get(term.text, Role.OTHER)
        if role is Role.NAME and term.own and term.idf >= rare:
            # Of a name of which a part is known the rest is spelled otherwise.
            part = any(term.text in name and known & name for name in roles.names)
            alien = Alien.NO if part else Alien.NAME
            others = tuple(
                v for t in terms if t.text in joined.get(term.text, ()) for v in t.variants
            )
            found.append(msgspec.structs.replace(term, alien=alien, beside=others))
        elif not _is_unknown(term):
            found.append(term)
        elif role is Role.ASIDE:
            found.append(msgspec.structs.replace(term, talk=True))
        elif (alien := _alien(term, role, language)) is Alien.NO:
            found.append(term)
        else:
            beside = tuple(one.term for one in store.near(term.text, language))
            found.append(msgspec.structs.replace(term, alien=alien, beside=beside))
    return found


def _side_by_side(query: str, names: Sequence[str]) -> dict[str, set[str]]:
    """Return which of *names* stand beside each of them in *query*: "Alpha and Beta".

    Who asks about both is answered by what is about one, and what is about the other.
    """
    found = dict[str, set[str]]()
    for one, other in itertools.permutations(names, 2):
        if re.search(rf"\b{re.escape(one)}\b{_JOINED}\b{re.escape(other)}\b", query, re.IGNORECASE):
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return found


def _alien(term: QueryTerm, role: Role, language: str) -> Alien:
    """Tell whether a query asks about a word in small letters that the store does not know."""
    word = term.text
    if not term.ordinary:
        # Of other languages no ordinary words are known, so that any word would be a name.
        if role is not Role.HEAD or tags.base(language) != "en" or len(word) < spelling.SHORTEST:
            return Alien.NO
        # A slip of a word that the store lacks as well asks what that word does.
        word = spelling.resembled(word, language)
        if not word:
            return Alien.UNREAD
    stems = index_terms.of(word, language)
    telling = stems and content_terms.weight(stems[0]) >= _TELLING
    return Alien.WORD if telling else Alien.NO


def _is_unknown(term: QueryTerm) -> bool:
    there = term.known or term.synonyms or term.talk or term.asks or term.nearness
    return bool(term.own) and term.text.isalpha() and not there
