"""Suggest questions that the retrieved documents answer as well.

Headings are the portal's own words for what it can answer. One that is a question is taken as it
is; one that names an action or a topic is turned into a question, where that reads well. Nothing
is invented: each question is answered under its heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from service.corpus.index import Chunk
from service.language import content_terms, detection

MOST: Final = 5
"""Questions that one answer suggests."""
_ASKS: Final = re.compile(
    r"(?:how|what|when|where|who|whom|whose|why|which|can|could|do|does|did|is|are|am|was|were|may"
    r"|must|should|will|would|have|has|if)\b",
    re.IGNORECASE,
)
_WH: Final = re.compile(r"(?:how|what|when|where|who|why|which)\b", re.IGNORECASE)
_MARKUP: Final = re.compile(
    r"^\s*#+\s|\s#+\s*$|[*`]+|^\s*(?:\d+(?:\.\d+)*[.)]?|step \d+:?)\s+|\[([^\]]*)\]\([^)]*\)",
    re.IGNORECASE,
)
_DULL: Final = re.compile(
    r"(?:\W*|overview|introduction|summary|(?:table of )?contents?|about|see also|notes?|tips?"
    r"|other|important|warnings?|examples?|next steps?|before you begin|prerequisites|references?"
    r"|home|related (?:content|topics|links|articles|information)|resources|more information"
    r"|faqs?|contact(?: us)?"
    r"|questions(?: and answers)?|general|procedure|steps|syntax|description|background|details"
    r"|frequently asked questions|learn more|additional (?:resources|information)|conclusion"
    r"|appendix|still need help|was this helpful):?",
    re.IGNORECASE,
)
_VERBS: Final = frozenset(
    "access activate add apply appeal attach back build buy cancel change check choose claim close"
    " complete configure connect contact convert copy create customize deactivate delete deploy"
    " disable download edit enable enroll enter exchange export fill find fix get give grant import"
    " improve install join link locate lower make manage migrate modify monitor move obtain open"
    " order pay prepare prevent protect prove receive recover reduce register remove rename renew"
    " repair repay replace reset resolve restore restrict retrieve return review"
    " revoke run save schedule search secure select send set share sign start stop submit surrender"
    " switch take track transfer troubleshoot turn uninstall unlock update upgrade upload use"
    " validate verify view write".split()
)  # fmt: skip
_NOUNS: Final = frozenset(("building", "closing", "opening", "setting", "writing"))
_ELSEWHERE: Final = (
    (re.compile(r"(?:c[oó]mo|qué|cuándo|dónde|por qué|cuánto) ", re.IGNORECASE), "¿{}?"),
    (re.compile(r"(?:comment|pourquoi|quand|où|quels?|quelles?) ", re.IGNORECASE), "{} ?"),
    (re.compile(r"(?:wie|was|warum|wann|wo|welche[rs]?) ", re.IGNORECASE), "{}?"),
    (re.compile(r"(?:如何|怎样|怎么|为什么|什么)"), "{}？"),
)
"""How headings of other languages begin that only lack their question mark."""
_DEFINED_WITHIN: Final = 400
"""Characters under a heading in which what it names is defined, if it is."""
_LONGEST: Final = 14
"""Words of a heading that reads well as a question."""
_ALIKE: Final = 0.75
"""Two questions with such a share of their terms in common are one: nobody is offered both."""
_ENGLISH: Final = "en"


def related(query: str, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Return at most five distinct questions that *chunks* answer and *query* does not ask.

    Sections that retrieval ranked high come first, then the headings above them.
    """
    taken, known = list[str](), [_meaning(query)]
    for heading, text in _headings(chunks):
        question = as_question(heading, text)
        if not question:
            continue
        meaning = _meaning(question)
        if not meaning or any(_alike(meaning, other) for other in known):
            continue
        known.append(meaning)
        taken.append(question)
        if len(taken) == MOST:
            break
    return tuple(taken)


def as_question(heading: str, text: str = "") -> str:
    """Return *heading* as a question, "" where none reads well; *text* is what stands under it."""
    bare = _MARKUP.sub(lambda found: found[1] or "", heading).strip(" \t:.-–—|")
    if not bare or len(bare.split()) > _LONGEST or _DULL.fullmatch(bare):
        return ""
    if bare.endswith(("?", "？")):
        return _capital(bare)
    for opening, closed in _ELSEWHERE:
        if opening.match(bare):
            return closed.format(_capital(bare))
    if detection.detect(f"{bare} {text[:300]}") != _ENGLISH or not bare.isascii():
        return ""
    return _english(bare, text)


def _english(bare: str, text: str) -> str:
    """Return the English heading *bare* as a question, "" where none reads well."""
    first, _, rest = bare.partition(" ")
    if re.match(r"how to\b", bare, re.IGNORECASE):
        return f"How do I {_yours_to_mine(bare[len('how to ') :])}?"
    if _WH.match(bare) and re.match(r"\w+ (?:\w+ )?(?:is|are|do|does|can|will|should)\b", bare):
        return f"{_capital(bare)}?"
    if _ASKS.match(bare):
        return ""
    verb = first.lower() if first.lower() in _VERBS else _verb_of(first.lower())
    if verb:
        return f"How do I {_yours_to_mine(f'{verb} {rest}')}?"
    defined = rf"\W*(?:(?:an?|the) )?{re.escape(bare)}(?: \([^)]*\))? (is|are|refers?|means?)\b"
    if found := re.search(defined, text[:_DEFINED_WITHIN], re.IGNORECASE):
        return f"What {'are' if found[1].lower() == 'are' else 'is'} {bare}?"
    return ""


def _headings(chunks: Sequence[Chunk]) -> Iterator[tuple[str, str]]:
    """Yield headings with the text under them: the sections' own, then those within, then above."""
    for chunk in chunks:
        if chunk.headings:
            yield chunk.headings[-1], chunk.text
    for chunk in chunks:
        for line in _questions_in(chunk.text.splitlines()):
            yield line, chunk.text
    for chunk in chunks:
        for heading in reversed((chunk.title, *chunk.headings[:-1])):
            yield heading, chunk.text


def _questions_in(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are questions by themselves and are followed by something."""
    before = ""
    for line in lines:
        if line.strip() and before:
            yield before
        bare = line.strip()
        asks = bare.endswith(("?", "？")) and len(bare.split()) <= _LONGEST
        before = bare if asks else ("" if bare else before)


def _verb_of(gerund: str) -> str:
    """Return the verb that *gerund* is made of, "" where it is none that we know."""
    if not gerund.endswith("ing") or gerund in _NOUNS:
        return ""
    stem = gerund[: -len("ing")]
    return next((v for v in (stem, stem + "e", stem[:-1]) if v in _VERBS), "")


def _yours_to_mine(text: str) -> str:
    """Return *text* as the user would say it of themselves."""
    text = re.sub(r"\byour\b", "my", text)
    return re.sub(r"\byou\b", "I", re.sub(r"\byourself\b", "myself", text))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _meaning(text: str) -> frozenset[str]:
    return frozenset(content_terms.of(text, detection.detect(text)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two questions ask for the same."""
    return len(one & other) >= _ALIKE * max(len(one), len(other), 1)
