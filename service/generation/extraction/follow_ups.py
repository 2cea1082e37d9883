"""Read what answers a follow-up query in the light of the turn before.

Who asks on has read the last answer, and mostly asks on about its documents: what it told comes
after what it did not, and what stands beside that before what stands elsewhere.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final, NamedTuple

from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.sections import Section
from service.generation.extraction.statements.worth import COUNTED, FACTS
from service.generation.generator import PastTurn, Prompt
from service.language import content_terms, detection, question_kinds, tags
from service.language.queries import leaning
from service.language.queries.leaning import Leaning
from service.language.question_kinds import QuestionKind

_TURNS: Final = 3
"""Questions that are read together, where each leans on the one before it."""
_OPENING: Final = 200
"""Characters of an answer that tell what it was about."""
_HARDLY: Final = 1
"""Words that carry a query, with no more of which it leans on the turn before: "And in May?"."""
_PARTS: Final = frozenset((Leaning.ELLIPSIS, Leaning.CONTINUATION))
"""What is no question without the one before it."""
_OF_A_THING: Final = frozenset((QuestionKind.HOW_TO, QuestionKind.DEFINITION))
"""Kinds of question that are about the thing that a pronoun stands for, more than what is said."""
_AROUND_IT: Final = re.compile(
    r"\b(?:(?:in|inside|on|with|without|at|by|under|con|sin|en|sobre|avec|sans|dans|sur)"
    r" (?:it|them|this|that|these|those|[eé]l|ella|ello|esto|eso|[cç]a|cela)"
    r"|damit|darin|darauf|dabei|dadurch|daran|dedans)\b",
    re.IGNORECASE,
)
"""Something is done in it or with it, and is what the question is about."""
_OPEN: Final = frozenset((QuestionKind.OTHER, QuestionKind.YES_NO))
"""Kinds that a part of a question passes for: "and the glasses?"."""
_CONDITIONS: Final = frozenset((QuestionKind.OTHER, QuestionKind.DATE))
"""Kinds that a condition passes for: "and when it is raining?" asks for no day."""
_TOLD: Final = 2.0
"""What it says against a whole that the turn before was told it."""
_ASKED: Final = 0.5
"""How much of that is spared a whole that has all words of the query: it may be asked about."""
_STAYS: Final = 0.3
"""What it says for a whole that it is in a document of the last answer."""
_POINTS: Final = 1.0
"""The same besides where the query points back: it is about what that document is about."""
_LEANS: Final = 1.5
"""The same besides where the query says nothing by itself."""
_GOES_ON: Final = 1.5
"""The same for one of a section that was told from, where the query points back."""
_STRAYS: Final = 8.0
"""What it takes from a whole that is not of the document that the last answer was of above all,
where a number is asked of something said before, that it has not the most telling word of what was
asked there: it is the fee of another thing."""
_RARE: Final = 6.5
"""What a word tells at least that names a thing by itself: "Could I use a sextant for that?"."""
_ABOUT: Final = 0.35
"""How much of what was asked before a whole of another document says that is about it, too."""
_PART: Final = 2.5
"""What it says for a whole of the page that told one part of a query that the next points back."""
_MANY: Final = 3
"""Pages whose headings have a word that says nothing of which is meant: "How do I apply?"."""
_NAMES_A_THING: Final = 3.0
"""What a word tells at least that names one of them for all that."""
_SAYS_ENOUGH: Final = {
    Leaning.ALONE: 10.0,
    Leaning.BESIDE: 15.0,
    Leaning.CONDITION: 20.0,
    Leaning.REFERENCE: 20.0,
    Leaning.TURN: 20.0,
    Leaning.ELLIPSIS: 30.0,
    Leaning.CONTINUATION: 100.0,
}
"""What the words of a query tell that stands alone, for how it leans."""
_POINTING: Final = frozenset((Leaning.CONDITION, Leaning.REFERENCE, Leaning.TURN, *_PARTS))
_LINES: Final = re.compile(r"(?<=[.!?。！？])\s+|\n")
_LINE: Final = 20
"""Characters of a line of an answer by which it is known again."""
_KNOWN: Final = 20
"""Lines of an answer that are looked for."""


class FollowUp(NamedTuple):
    """What a query takes from the turns before it."""

    leaning: Leaning = Leaning.ALONE
    context: str = ""
    """What was asked; how the answer began where that is in another language, or goes on."""
    subject: str = ""
    """What a pronoun of the query stands for, where it asks of that thing."""
    kind: QuestionKind | None = None
    """The kind that the query is read as, where it is a part of the question before."""


def read(prompt: Prompt, asked: str, language: str) -> FollowUp:
    """Return what *asked* takes from the turns before; *language* is that of the pages.

    Where they are in another one than the questions, the answer tells in it what these were about.
    """
    if not prompt.history:
        return FollowUp()
    last = prompt.history[-1]
    read = leaning.after(asked, last.query)
    hardly = len(content_terms.of(asked, language)) <= _HARDLY
    if read.leaning is Leaning.ALONE and not hardly:
        return FollowUp(context=prompt.query.removeprefix(asked) if prompt.asked else "")
    questions = list(_questions(prompt.history, language))
    spoken = tags.base(detection.detect_in(last.query, [asked])) == tags.base(language)
    context = "\n".join(questions) if spoken else ""
    # "Yes, sir" says nothing itself: it goes on with what was told.
    replies = hardly and _REPLY.match(asked)
    if replies or not spoken or read.leaning is Leaning.CONTINUATION:
        context += f"\n{last.answer[:_OPENING]}"
    subject = _thing(questions[-1], language) if spoken and _is_of_it(read, language) else ""
    return FollowUp(read.leaning, context, subject, _taken_up(read, questions, language))


_REPLY: Final = re.compile(
    r"\W*(?:yes|yeah|yep|no|nope|sure|ok(?:ay)?|right|exactly|correct|i do|i did|sí|claro|oui|non"
    r"|d['’]accord|ja|nein|genau|doch|是|对|不是|好)(?!\w)",
    re.I,
)
"""Begins what replies to the one who answered, and asks nothing."""


def _is_of_it(read: leaning.LeaningReading, language: str) -> bool:
    """Tell whether a query asks about the very thing that a pronoun of it stands for."""
    if read.leaning is not Leaning.REFERENCE or _kind(read.asked, language) not in _OF_A_THING:
        return False
    return _AROUND_IT.search(read.asked) is None


def _thing(question: str, language: str) -> str:
    """Return what *question* is about, without what it asks to do with that: "add a user"."""
    kind, topic = question_kinds.read(question, language)
    words = topic.split()
    telling = [at for at, word in enumerate(words) if content_terms.of(word, language)]
    done = kind is QuestionKind.HOW_TO and len(telling) > 1
    return " ".join(words[telling[1] :]) if done else topic


def _taken_up(
    read: leaning.LeaningReading, questions: Sequence[str], language: str
) -> QuestionKind | None:
    """Return the kind that a part of a question has from the *questions* before, newest first."""
    own = _kind(read.asked, language)
    before = (_kind(each, language) for each in questions)
    if read.leaning is Leaning.CONDITION and own in _CONDITIONS:
        # A fact is asked for this case; what a procedure comes to is no procedure.
        last = next(before)
        asks_what = read.asked.casefold().startswith("what")
        return last if last in FACTS and not asks_what else QuestionKind.OTHER
    if read.leaning in _PARTS and own in _OPEN:
        return next((kind for kind in before if kind not in _OPEN), None)
    return None


def _kind(question: str, language: str) -> QuestionKind:
    return question_kinds.read(question, language).kind


def _questions(history: Sequence[PastTurn], language: str) -> Iterator[str]:
    """Yield what was asked last, and before it what that leans on, or says too little without."""
    for at in range(len(history) - 1, max(-1, len(history) - 1 - _TURNS), -1):
        query = history[at].query
        yield query
        stands = at and len(content_terms.of(query, language)) > _HARDLY
        if stands and leaning.after(query, history[at - 1].query).leaning is Leaning.ALONE:
            return


def after_last_turn(
    query: WeightedQuery, ranked: list[ScoredWhole], prompt: Prompt, leans: Leaning | None
) -> list[ScoredWhole]:
    """Return *ranked* as it answers after the last turn; who asks the same again is told it again.

    A query that hardly says what it is about is about the documents of the last answer, unless it
    asks the same of another thing: then *leans* is None.
    """
    if (last := _last(prompt)) is None:
        return ranked
    asked = prompt.asked or prompt.query
    terms = content_terms.of(asked, query.language)
    there = [source.document in last.documents for source in prompt.sources]
    first = [source.document in last.documents[:1] for source in prompt.sources]
    stays = goes_on = strays = 0.0
    subject = _subject(prompt, query.language)
    headed = _headed(terms, query, ranked)
    only_elsewhere = {there[rank] for rank in headed.pages} == {False}
    # A sentence may tell a fact anywhere, whatever stands above it.
    leaves = only_elsewhere and not headed.asks_of_each and query.kind not in FACTS
    if leans and not leaves:
        said = content_terms.total_weight(set(terms))
        points = leans in _POINTING
        stays = _STAYS + _POINTS * points + _LEANS * max(0.0, 1 - said / _SAYS_ENOUGH[leans])
        goes_on = _GOES_ON * (points and not (only_elsewhere and headed.asks_of_each))
        if query.kind in COUNTED and (leans is Leaning.REFERENCE or len(terms) <= _HARDLY):
            strays = _STRAYS
    # A number is told of the thing in other words: "What does it cost?", by its fee.
    bare = leans is Leaning.REFERENCE and len(set(terms)) == _HARDLY and _asks(query, asked)
    context = query.weights.keys() - set(terms)
    lines = list(itertools.islice(_told_lines(last.answer), _KNOWN))
    sections = {id(one.section): one.section for one in ranked}
    held = {name: _held(section, lines) for name, section in sections.items()}
    # A line that many sections begin with tells nothing of where the reader is.
    read = {name for name, number in held.items() if number and 2 * number >= max(held.values())}
    scored = list[ScoredWhole]()
    for one in ranked:
        if bare and not there[one.page.rank] and not _is_of(one, query, context, terms[0]):
            continue
        told = all(block.text in last.answer for block in one.whole.blocks)
        new = query.own_share(query.asked(one.whole.known), 0.0) if told and leans else 0.0
        score = one.score - _TOLD * told * (1 - _ASKED * new) + stays * there[one.page.rank]
        elsewhere = not first[one.page.rank] and subject not in (one.whole.known | one.above)
        score -= strays * elsewhere
        scored.append(one._replace(score=score + goes_on * (id(one.section) in read)))
    return sorted(scored, key=lambda one: -one.score)


def _asks(query: WeightedQuery, asked: str) -> bool:
    """Tell whether *asked* is a question, but for a number: "Yes, we use it." goes on as well."""
    is_told = query.kind is QuestionKind.OTHER or _REPLY.match(asked) is not None
    return not is_told and query.kind not in COUNTED


def _is_of(one: ScoredWhole, query: WeightedQuery, context: Set[str], asked: str) -> bool:
    """Tell whether *one* is about what was asked before, or has the rare word that is *asked*."""
    known = one.whole.known | one.above
    if asked in known and content_terms.weight(asked) >= _RARE:
        return True
    return query.weigh(query.asked(known) & context) >= _ABOUT * query.weigh(context)


def after_part(
    asked: str, ranked: list[ScoredWhole], before: WeightedQuery, told: Set[int]
) -> list[ScoredWhole]:
    """Return *ranked*, moved to the pages that *told* the part *before* if *asked* points to it.

    What was told is named by the identity of its blocks.
    """
    if leaning.after(asked, before.text).leaning not in leaning.DEPENDENT:
        return ranked
    pages = {one.page.rank for one in ranked if one.is_of(told)}
    moved = [one._replace(score=one.score + _PART * (one.page.rank in pages)) for one in ranked]
    return sorted(moved, key=lambda one: -one.score)


def _subject(prompt: Prompt, language: str) -> str:
    """Return the most telling term of what was asked before, "" where that tells nothing."""
    asked = " ".join(_questions(prompt.history, language))
    return max(content_terms.of(asked, language), key=content_terms.weight, default="")


def _last(prompt: Prompt) -> PastTurn | None:
    """Return the turn before, None where it told nothing, or where the same is asked again."""
    last = prompt.history[-1] if prompt.history else None
    if last is None or not last.answer or last.query.strip() == (prompt.asked or prompt.query):
        return None
    return last


class _Headed(NamedTuple):
    """The pages with the most telling word of a query in a heading."""

    pages: Set[int]
    asks_of_each: bool
    """Whether the word says nothing of which is meant: "How do I apply?" is asked of each page."""


def _headed(terms: Sequence[str], query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> _Headed:
    if not terms:
        return _Headed(frozenset(), asks_of_each=False)
    most = max(terms, key=content_terms.weight)
    pages = {one.page.rank for one in ranked if most in query.asked(one.above)}
    tells = len(pages) < _MANY or content_terms.weight(most) >= _NAMES_A_THING
    return _Headed(pages, asks_of_each=not tells)


def _told_lines(answer: str) -> Iterator[str]:
    return (line.strip() for line in _LINES.split(answer) if len(line.strip()) >= _LINE)


def _held(section: Section, lines: Sequence[str]) -> int:
    """Return how many of *lines* stand in *section*."""
    texts = [block.text for whole in section.wholes for block in whole.blocks]
    return sum(any(line in text for text in texts) for line in lines)
