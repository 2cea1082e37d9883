"""Suggest questions that the portal answers as well.

Headings are the portal's own words for what it can answer. One that is a question is taken as it
is; one that names an action, a rule or a topic that is defined under it is turned into a question,
where that reads as somebody would say it. Whether it is answered is for `related_checks` to ask.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.corpus.index import Chunk
from service.language import content_terms, detection

MOST: Final = 5
"""Questions that one answer suggests."""
SUGGESTED: Final = 2 * MOST
"""Suggestions that are made: about half of them are answered from where they come from."""
_ASKS: Final = re.compile(
    r"(?:how|what|when|where|who|whom|whose|why|which|can|could|do|does|did|is|are|am|was|were|may"
    r"|must|should|will|would|have|has|if)\b",
    re.IGNORECASE,
)
_WH: Final = re.compile(r"(?:how|what|when|where|who|why|which)\b", re.IGNORECASE)
_AUXILIARY_SECOND: Final = re.compile(
    r"(?:\w+|what \w+|which \w+|how (?:much|many|long|often|old|far|soon)(?: \w{3,})?)"
    r" (?:is|are|do|does|can|will|should)\b",
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"(?P<asks>how|when|where|why) (?!(?:to|much|many|long|often|old|far|soon)\b)"
    r"(?P<what>[\w'’-]+(?: [\w'’-]+){0,3}) (?P<verb>is|are|can|will|should|must) (?P<rest>.+)",
    re.IGNORECASE,
)
_MARKUP: Final = re.compile(
    r"^\s*\d{1,2}/\d{1,2}/\d{2,4},?\s+\d{1,2}:\d\d(?:\s*[ap]m)?\s*\|?\s*"  # of a printed page
    r"|^\s*#+\s|\s#+\s*$|[*`]+|^\s*\(\d+\)\s*|^\s*Q\d*[:.]\s"
    r"|^\s*(?:\d+(?:\.\d+)*[.)]?|step \d+:?)\s+|\[([^\]]*)\]\([^)]*\)",
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
_TROUBLE: Final = re.compile(r"\b(?:not|fail(?:s|ed|ing)|taking|missing)\b", re.IGNORECASE)
"""Stands in a heading that tells what goes wrong."""
_NOUNS: Final = frozenset(("building", "closing", "opening", "setting", "writing"))
_ELSEWHERE: Final = (
    (re.compile(r"(?:c[oó]mo|qué|cuándo|dónde|por qué|cuánto) ", re.IGNORECASE), "¿{}?"),
    (re.compile(r"(?:comment|pourquoi|quand|où|quels?|quelles?) ", re.IGNORECASE), "{} ?"),
    (re.compile(r"(?:wie|was|warum|wann|wo|welche[rs]?) ", re.IGNORECASE), "{}?"),
    (re.compile(r"(?:如何|怎样|怎么|为什么|什么)"), "{}？"),
)
"""How headings of other languages begin that only lack their question mark."""
_RULED: Final = re.compile(
    r"\b(?:requirements|fees?|hours|deadlines?|eligibility|benefits|limits|limitations|costs?|prices"
    r"|pricing|rules|policy|policies|options|penalties|advantages|differences|restrictions"
    r"|exceptions|consequences|risks)$",
    re.IGNORECASE,
)
"""What a portal says of many things: one asks "What are the license fees?" for "License fees"."""
_RULES: Final = range(2, 6)
"""Words of such a heading: one alone says not of what, a long one is no topic."""
_DEFINED_WITHIN: Final = 400
"""Characters under a heading in which what it names is defined, if it is."""
_SMALL: Final = 3
"""Letters of words that have no capital even where all others have: "of", "and"."""
_LONGEST: Final = 14
"""Words of a heading that reads well as a question."""
_ALIKE: Final = 0.75
"""Two questions with such a share of their terms in common are one: nobody is offered both."""
_ENGLISH: Final = "en"


class RelatedQuestion(NamedTuple):
    """A question, and the chunk whose headings or lines it is made of.

    It is *within* where it is a line of the text: only a part of the chunk answers it then.
    """

    question: str
    chunk: Chunk
    within: bool = False


def suggestions(query: str, chunks: Sequence[Chunk]) -> list[RelatedQuestion]:
    """Return distinct questions that *chunks* seem to answer and *query* does not ask.

    They are `SUGGESTED` at most and in the language of *query*. Sections that retrieval ranked
    high come first, then questions within the text, then the headings above.
    """
    taken, known = list[RelatedQuestion](), [_meaning(query)]
    spoken = detection.detect_in(query, [chunk.text for chunk in chunks])
    for heading, chunk in _headings(chunks):
        question = as_question(heading, chunk.text)
        if not question or detection.detect(question, spoken) != spoken:
            continue
        meaning = _meaning(question)
        if not meaning or any(_alike(meaning, other) for other in known):
            continue
        known.append(meaning)
        within = heading not in (chunk.title, *chunk.headings)
        taken.append(RelatedQuestion(question, chunk, within))
        if len(taken) == SUGGESTED:
            break
    return taken


@functools.lru_cache(maxsize=1_000)  # what is found often is suggested often
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
    first = bare.partition(" ")[0]
    bare = bare.replace(" & ", " and ")
    if re.match(r"how to \w", bare, re.IGNORECASE):
        action = _within_a_sentence(bare, text)[len("how to ") :]
        return f"How do I {_yours_to_mine(action)}?"
    if _WH.match(bare) and _AUXILIARY_SECOND.match(bare):
        return f"{_capital(bare)}?"
    if told := _TOLD.fullmatch(bare):  # "How fees are paid"
        return f"{_capital(told['asks'])} {told['verb']} {told['what']} {told['rest']}?"
    if _ASKS.match(bare):
        return ""
    verb = first.lower() if first.lower() in _VERBS else _verb_of(first.lower())
    if verb:
        _, _, rest = _within_a_sentence(bare, text).partition(" ")
        return "" if _is_no_action(rest) else f"How do I {_yours_to_mine(f'{verb} {rest}')}?"
    topic = _within_a_sentence(bare, text)
    if _RULED.search(bare) and len(bare.split()) in _RULES:
        inner = topic.split()[:-1]
        if any(map(str.istitle, inner)) and not all(map(str.istitle, inner)):
            topic = bare  # a name in part: as it is written
        else:
            topic = _RULED.sub(lambda found: found[0].lower(), topic)
        is_several = bare.endswith("s") or " and " in bare
        return f"What {'are' if is_several else 'is'} the {topic}?"
    named = rf"((?:(?:an?|the) )?){re.escape(bare)}(?: \([^)]*\))?"
    defined = rf"(?:^|[\n.!?])\W*{named} (is|are|refers?|means?)\b"
    if found := re.search(defined, text[:_DEFINED_WITHIN], re.IGNORECASE):
        return f"What {'are' if found[2].lower() == 'are' else 'is'} {found[1].lower()}{topic}?"
    return ""


def _is_no_action(rest: str) -> bool:
    """Tell whether a word before *rest* is a noun, or an order that stands in its place only.

    So it is in "Use of", "Updates in", "Upload or download failing", "Pay here".
    """
    if joined := re.match(r"(?:and|or) (\w+)( (?:an?|the|my|your)\b)?", rest):
        is_verb = joined[1].lower() in _VERBS or joined[2]
        return not is_verb or _TROUBLE.search(rest) is not None
    return bool(re.match(r"(?:of|in|for|by|here|this|these|it)\b|$", rest, re.IGNORECASE))


def _within_a_sentence(heading: str, text: str) -> str:
    """Return *heading* as it is written within a sentence: capitals are kept by names alone.

    The first word is a name where *text* writes it so within a sentence; in a Heading With Capitals
    another one is, where *text* never writes it without one.
    """
    first, *rest = heading.split()
    if first.isalpha() and first.istitle() and not re.search(rf"[a-z,;] {first}\b", text):
        first = first.lower()
    if all(word[0].isupper() for word in rest if len(word) > _SMALL):
        rest = [
            word.lower()
            if word.istitle() and re.search(rf"\b{re.escape(word.lower())}\b", text)
            else word
            for word in rest
        ]
    return " ".join((first, *rest))


def _headings(chunks: Sequence[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """Yield headings with their chunks: the sections' own, then those within, then above."""
    for chunk in chunks:
        if chunk.headings:
            yield chunk.headings[-1], chunk
    for chunk in chunks:
        for line in _questions_in(chunk.text.splitlines()):
            yield line, chunk
    for chunk in chunks:
        for heading in reversed((chunk.title, *chunk.headings[:-1])):
            yield heading, chunk


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
