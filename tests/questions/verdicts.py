"""What an answer to a labelled question is worth: the rules, apart from any portal.

"Right" is what a portal would put its name under: it says what it must and nothing of what it must
not, cites the right document, is no longer than its kind allows, tells lists whole, from the first
item on, speaks one language, comes to the point and says nothing twice or besides, and is not glued
from other pages. One that fails in form alone is clumsy; one that fails in substance is wrong.
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from service.answering.views.replies import FALLBACK
from service.language import detection, sentences
from sessions.resources import answers
from sessions.resources.answers import AnswerSkippedReason as Reason
from tests.questions import labels
from tests.questions.labels import Kind, Question
from tests.questions.local_portals import document_of

LONGEST: Final = {
    Kind.HOW_TO: 2_000,
    Kind.LIST: 2_500,
    Kind.COMPARISON: 1_300,
    Kind.DEFINITION: 700,
    Kind.WHY: 800,
    Kind.ERROR: 800,
}
"""Characters of an answer by kind: steps and lists whole, an explanation in a paragraph."""
_FACT: Final = 450
"""Characters of a fact: two sentences, or a short list of cases; read aloud, half a minute."""
_TALK: Final = frozenset(
    {Reason.NON_ANSWER_SEEKING_QUERY_IGNORED, Reason.NON_ANSWER_SEEKING_QUERY_IGNORED_V2}
)
_MIDDLE: Final = re.compile(r"\(?(?:[2-9]|[1-9]\d)[.)]\s")
"""Beginning of an answer that is no first item."""
_PAGE_MARK: Final = re.compile(r"\(?(?:A|Q|Answer|Question)\)?[:.] ")
_LISTED: Final = re.compile(r"\s|[-*•·◦]|\(?\w{1,3}[.)]\s")
"""Beginning of a line that is an item or code, and needs no full stop."""
_SPOKEN_OF: Final = frozenset(
    {Kind.WHY, Kind.DEFINITION, Kind.YES_NO, Kind.HOW_TO, Kind.WHO, Kind.PLACE}
)
"""Kinds that no row of a table answers as one would say it."""
_REPEATED: Final = 40
"""Characters from which on a line that comes twice was said twice."""
_ALIKE: Final = 0.8
"""Share of words in common from which on two sentences say the same."""
_AT_LENGTH: Final = frozenset({Kind.HOW_TO, Kind.LIST, Kind.COMPARISON})
"""Kinds whose answer may begin with a lead of some sentences."""
_POINT: Final = 300
"""Characters in which the answer to any other kind of question comes to the point."""
_BESIDE: Final = 350
"""Characters of whole paragraphs that may say nothing of what was asked for: a note, a hint."""
_SPOKEN: Final = 8
"""Words from which on the language of a paragraph can be told."""


class Verdict(enum.Enum):
    """What an answer is worth."""

    RIGHT = "right"
    CLUMSY = "clumsy"
    WRONG = "wrong"
    WRONGLY_REFUSED = "wrongly refused"
    WRONGLY_ANSWERED = "wrongly answered"
    RIGHTLY_REFUSED = "rightly refused"

    @property
    def good(self) -> bool:
        """Whether nobody has to be ashamed of it."""
        return self in (Verdict.RIGHT, Verdict.RIGHTLY_REFUSED)


class Judgement(msgspec.Struct, frozen=True):
    """A verdict, and why it is no better one."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()


def judge(question: Question, answer: answers.Answer) -> Judgement:
    """Return what *answer* to *question* is worth."""
    if question.reply:
        return _of_talk(question, answer)
    skipped = tuple(reason.name for reason in answer.answer_skipped_reasons)
    if question.refuse:
        return Judgement(Verdict.RIGHTLY_REFUSED if skipped else Verdict.WRONGLY_ANSWERED)
    if skipped or not answer.answer_text:
        return Judgement(Verdict.WRONGLY_REFUSED, skipped)
    if faults := tuple(_faults(question, answer)):
        return Judgement(Verdict.WRONG, faults)
    if flaws := tuple(_flaws(question, answer)):
        return Judgement(Verdict.CLUMSY, flaws)
    return Judgement(Verdict.RIGHT)


def _of_talk(question: Question, answer: answers.Answer) -> Judgement:
    """Judge a reply to what asks the documents nothing.

    Documents that do tell how to reach a person may well answer who wants one.
    """
    reasons = set(answer.answer_skipped_reasons)
    if answer.references or answer.citations:
        if question.says and not tuple(_faults(question, answer)):
            return Judgement(Verdict.RIGHT)
        return Judgement(Verdict.WRONGLY_ANSWERED)
    if reasons and not reasons & _TALK:
        return Judgement(Verdict.WRONGLY_REFUSED, tuple(reason.name for reason in reasons))
    if answer.answer_text == FALLBACK:
        return Judgement(Verdict.CLUMSY, ("there is no reply to it",))
    spoken = detection.detect(answer.answer_text, question.language)
    if spoken != question.language:
        return Judgement(Verdict.CLUMSY, (f"the reply is in '{spoken}'",))
    return Judgement(Verdict.RIGHT)


def _faults(question: Question, answer: answers.Answer) -> Iterator[str]:
    """Yield what makes *answer* wrong."""
    said = labels.plain(answer.answer_text)
    for wanted in question.says:
        if not re.search(wanted, said):
            yield f"does not say '{wanted}'"
    at = 0
    for number, item in enumerate(question.items, 1):
        found = re.compile(item).search(said, at)
        if found is None:
            yield f"lacks item {number}: '{item}'"
            break
        at = found.end()
    for unwanted in question.never:
        if re.search(unwanted, said):
            yield f"says '{unwanted}'"
    cited = _cited(answer)
    for named in filter(None, (question.documents, question.also)):
        if question.documents and not any(labels.is_named(one, named) for one in cited):
            yield f"cites {', '.join(sorted(cited)) or 'nothing'} instead of {' or '.join(named)}"


def _flaws(question: Question, answer: answers.Answer) -> Iterator[str]:
    """Yield what makes *answer*, which is right in substance, clumsy."""
    text = answer.answer_text
    longest = question.longest or LONGEST.get(question.kind, _FACT)
    if len(text) > longest:
        yield f"has {len(text)} characters, more than {longest}"
    if _MIDDLE.match(text):
        yield "begins in the middle of a list"
    if _PAGE_MARK.match(text):
        yield "begins with a mark of the page, such as the A of an answer"
    if broken := _broken_off(text):
        yield f"breaks off: {broken}"
    if question.kind in _SPOKEN_OF and " | " in text:
        yield "tells a row of a table, where a sentence is wanted"
    if repeated := _said_twice(text, question.language):
        yield f"says twice: {repeated}"
    yield from _beside_the_point(question, text)
    for paragraph in text.split("\n\n"):
        spoken = detection.detect(paragraph, question.language)
        if spoken != question.language and len(paragraph.split()) >= _SPOKEN:
            yield f"speaks '{spoken}' in between"
            break
    wanted = (*question.documents, *question.also)
    foreign = {
        document
        for citation in answer.citations
        if not any(labels.is_named(one, wanted) for one in _documents(answer, citation))
        for document in _documents(answer, citation)
    }
    if foreign:
        yield f"is glued with {', '.join(sorted(foreign))}"


def _broken_off(text: str) -> str:
    """Return the end of a paragraph that ends within a sentence, "" where there is none."""
    for paragraph in text.split("\n\n"):
        last = paragraph.rstrip().rpartition("\n")[2]
        told = last.count(" ") >= _SPOKEN and " | " not in last and not _LISTED.match(last)
        if told and (last[-1].isalpha() or last[-1] == ","):
            return last[-40:]
    return ""


def _said_twice(text: str, language: str) -> str:
    """Return a sentence of *text* that says what another one says, "" where there is none."""
    found = [text[start:end] for start, end in sentences.spans(text, language)]
    long = [one for one in found if len(one) >= _REPEATED]
    words = [set(labels.plain(one).split()) for one in long]
    for (_, one), (second, other) in itertools.combinations(zip(long, words, strict=True), 2):
        if len(one & other) >= _ALIKE * len(one | other):
            return second
    return ""


def _beside_the_point(question: Question, text: str) -> Iterator[str]:
    """Yield that *text* comes to the point late, or goes on besides."""
    wanted = [re.compile(pattern) for pattern in (*question.says, *question.items)]
    said = labels.plain(text)
    begins = min((found.start() for one in wanted if (found := one.search(said))), default=0)
    if question.kind not in _AT_LENGTH and begins > _POINT:
        yield f"comes to the point after {begins} characters"
    paragraphs = [labels.plain(paragraph) for paragraph in text.split("\n\n")]
    beside = [one for one in paragraphs if not any(pattern.search(one) for pattern in wanted)]
    if (size := sum(map(len, beside))) > _BESIDE:
        yield f"has {size} characters beside the point"


def _cited(answer: answers.Answer) -> set[str]:
    return {one for citation in answer.citations for one in _documents(answer, citation)}


def _documents(answer: answers.Answer, citation: answers.Citation) -> list[str]:
    references = [answer.references[int(source.reference_id)] for source in citation.sources]
    return [document_of(reference) for reference in references]
