"""Reply in the service's own name: to small talk, and beside a refusal, so that it helps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.answering.pipeline.retrieving import Retrieved
from service.answering.query_classes.classifiers import QueryClasses
from service.answering.retrieval import scopes
from service.answering.small_talk import contact_pages, kinds, wordings
from service.answering.small_talk.distress import Distress
from service.answering.small_talk.kinds import Kind, SmallTalk
from service.generation.generator import PastTurn
from service.language import detection
from service.portal.portal import Contact, Portal
from service.query_readings import QueryReading
from sessions.resources import answer_query, answers
from sessions.resources.answers import AnswerSkippedReason as Reason
from streaming.log.events import AnswerEvent, Skipped, TextAppended

_HELPED: Final = frozenset(
    (
        Reason.NO_RELEVANT_CONTENT,
        Reason.OUT_OF_DOMAIN_QUERY_IGNORED,
        Reason.UNHELPFUL_ANSWER,
    )
)
"""Reasons of refusals that are the documents' and not the query's: help is due."""
_NAMED: Final = 3
"""Unknown identifiers that a refusal names at most."""
_SPELLED: Final = re.compile(r"[\w.-]+")
_BETWEEN: Final = re.compile(r"[_.-]")
_IDENTIFIER: Final = re.compile(
    r"(?=.*\d)(?=.*[^\W\d_])[\w.-]{3,40}|\w{2,20}(?:[_-]\w{1,20}){1,5}|\d{4,20}"
)
"""What people paste: it has digits and letters, or parts, or is a long number."""


class Replier:
    """Words replies for a portal."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal

    def at_once(self, understood: QueryClasses, language: str) -> str:
        """Return the reply to a query that asks the documents nothing, "" for any other.

        It is in *language* where one was asked for, else in that of the query. Who asks for a
        person is told the operator's contact, where there is one.
        """
        talk = understood.talk
        if (
            talk is None
            or understood.takes_up
            or (talk.kind in kinds.ASKING and not self._tells_contact(talk.kind))
        ):
            return ""
        return self._worded(talk, language)

    def page_query(self, understood: QueryClasses) -> str:
        """Return what to look for on behalf of who asks for a person, "" for any other query."""
        talk = None if understood.takes_up else understood.talk
        return contact_pages.query(talk) if talk else ""

    def to_talk(self, understood: QueryClasses, language: str) -> str:
        """Return the reply to small talk that was looked up, should nothing found answer it."""
        talk = None if understood.takes_up else understood.talk
        return self._worded(talk, language) if talk else ""

    def instead(
        self,
        query: str,
        understood: QueryClasses,
        retrieved: Retrieved,
        language: str,
        *,
        refused: bool,
    ) -> str:
        """Return what is replied instead of an answer from what was *retrieved*, "" for nothing.

        To who asks for a person, where no page says how to reach one; and to small talk in other
        words than we know, or a "yes", where the documents have nothing to say to it.
        """
        talk = understood.talk
        if understood.takes_up:
            yes = talk or SmallTalk(Kind.ACKNOWLEDGEMENT, detection.detect(query))
            return self._worded(yes, language) if refused else ""
        if talk is not None:
            return "" if retrieved.hits else self._worded(talk, language)
        if not refused or not (understood.small_talk or understood.no_clear_intent):
            return ""
        kind = Kind.SMALL_TALK if understood.small_talk else Kind.UNCLEAR
        return self._worded(SmallTalk(kind, detection.detect(query)), language)

    def consolation(self, found: Distress, language: str) -> tuple[str, str]:
        """Return what is replied to distress instead of a refusal, and what behind an answer."""
        reply = self._worded(SmallTalk(Kind.DISTRESS, found.language), language)
        return reply, wordings.in_danger(language or found.language)

    def helped(self, skipped: Skipped, query: str, reading: QueryReading, language: str) -> Skipped:
        """Return *skipped* with what helps on: unknown identifiers, and the operator's contact.

        Its own text stays in front as it is: existing programs compare against it.
        """
        if not _HELPED.intersection(skipped.reasons):
            return skipped
        unknown = {word.text.lower() for word in reading.words if not word.known}
        spelled = dict.fromkeys(word.strip(".-") for word in _SPELLED.findall(query))
        named = [
            word
            for word in spelled
            # An index has the parts of an "E-1044" as words.
            if _IDENTIFIER.fullmatch(word) and unknown & {word.lower(), *_parts(word)}
        ][:_NAMED]
        text = wordings.joined(
            skipped.text,
            wordings.unmentioned(named, language),
            wordings.contact(self._portal, language),
        )
        return msgspec.structs.replace(skipped, text=text)

    def _worded(self, talk: SmallTalk, language: str) -> str:
        told = msgspec.structs.replace(talk, language=language or talk.language)
        return wordings.reply(told, self._portal)

    def _tells_contact(self, kind: Kind) -> bool:
        return kind is Kind.HUMAN and self._portal.contact != Contact()


def _parts(word: str) -> list[str]:
    return _BETWEEN.split(word.lower())


def rest(reply: str, written: answers.Answer) -> Iterator[AnswerEvent]:
    """Yield what is left to tell of *reply*; nothing where something else was *written*."""
    told = written.answer_text
    if reply.startswith(told) and reply != told:
        yield TextAppended(reply[len(told) :])


def wanted_language(request: answer_query.AnswerQueryRequest) -> str:
    """Return the language that *request* asks for, "" where it leaves that open."""
    spec = request.answer_generation_spec
    return spec.answer_language_code if spec else ""


def language_of(
    request: answer_query.AnswerQueryRequest, query: str, history: Sequence[PastTurn]
) -> str:
    """Return the language to reply in: the one asked for, else that of the query or its session."""
    if wanted := wanted_language(request):
        return wanted
    past = detection.detect(history[-1].query, "en") if history else "en"
    return detection.detect(query, past)


def whom_to_ask(retrieved: Retrieved, talk: SmallTalk) -> Retrieved:
    """Return of what was *retrieved* what says whom to turn to for *talk*.

    Whom to call in distress is relevant, however little of the query it has.
    """
    is_distress = talk.kind is Kind.DISTRESS
    kept = [
        at
        for at, hit in enumerate(retrieved.hits)
        if (is_distress or hit.relevance >= scopes.RELEVANT)
        and contact_pages.answers(talk, hit.chunk)
    ]
    hits = [retrieved.hits[at] for at in kept]
    places = sorted({retrieved.reference_of[at] for at in kept})
    return msgspec.structs.replace(
        retrieved,
        hits=tuple(
            msgspec.structs.replace(hit, relevance=1.0) if is_distress else hit for hit in hits
        ),
        references=tuple(retrieved.references[place] for place in places),
        reference_of=tuple(places.index(retrieved.reference_of[at]) for at in kept),
    )
