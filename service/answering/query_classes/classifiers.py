"""Tell what kind of query it is: small talk, an attack, harmful, or a question to answer.

Three linear classifiers over `features`. Only their weights are kept, in
``query_classes.bin``: for each class a scale and a bias, then a signed byte per feature, and at
the end the vocabulary of small talk. ``tests/training/train_query_classes.py`` trains them, and
says on what.
"""

from __future__ import annotations

import functools
import importlib.resources
import math
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from service.answering.query_classes import features
from service.answering.small_talk import assents, distress, kinds
from service.answering.small_talk.distress import Distress
from service.answering.small_talk.kinds import Kind, SmallTalk
from service.generation.generator import PastTurn
from service.language import content_terms, detection, question_kinds, words
from service.language.queries import leaning
from service.language.queries.leaning import Leaning
from service.language.question_kinds import QuestionKind
from service.portal.portal import IgnoredQueries

CLASSES: Final = ("adversarial", "jail_breaking", "small_talk")
THRESHOLDS: Final = {"adversarial": 0.75, "jail_breaking": 0.45, "small_talk": 0.6}
"""From these scores on a query is of a class: of 1,000 real questions the first two let 999 pass
each and small talk 995, where its F1 is .92, judged by weights that saw nothing of their collection
(the program that trains them tells)."""
TALK: Final = "small_talk"
"""The class that a query without a single word of small talk is never of."""
_REPLIES: Final = 12
"""A reply to a question of the assistant has at most so many words."""
_REPLYING: Final = frozenset((Kind.ACKNOWLEDGEMENT, Kind.UNCLEAR))
"""Kinds of small talk that say something in reply to a question: "yes", "…"."""
_CERTAIN: Final = 0.99
"""The score of a query that consists of phrases of small talk."""
_SUBJECT: Final = re.compile(
    r"\b(?:(?:this|your) (?:program|software|app(?:lication)?|product|project|service|(?:web)?site"
    r"|tool|package|company|organi[sz]ation)|(?:ce|cette) (?:programme|logiciel|application|produit"
    r"|projet|service|site|outil|entreprise)|est[ea] (?:programa|software|aplicación|producto|sitio"
    r"|proyecto|servicio|herramienta|empresa)|dies(?:e[rsnm]?)? (?:programm?|software|anwendung|app"
    r"|produkt|projekt|dienst|seite|website|werkzeug|firma))s?\b",
    re.IGNORECASE,
)
"""What the documents are about, by a word for it."""
_MASHED: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}|(.)\1{4,}|\b(?:asdf|qwer|zxcv|hjkl)\w*")


class QueryClasses(msgspec.Struct, frozen=True, kw_only=True):
    """How sure it is, 0..1, that a query is of a class, and whether that is enough."""

    scores: dict[str, float]
    no_clear_intent: bool

    talk: SmallTalk | None = None
    """What kind of small talk it is, where it is nothing but phrases of such; the kinds that ask
    for help are none to the classes."""

    takes_up: bool = False
    """Whether it asks for what goes on with the last answer: `talk` is it where nothing does."""

    distress: Distress | None = None
    """The distress that it tells of; of an acute one `talk` is about, and nothing else counts."""

    banned: bool = False
    """Whether it has a phrase that the operator bans (`portal_policy`)."""

    ignored: IgnoredQueries | None = None
    """The operator's class of queries that it is of, if it is of one."""

    @property
    def adversarial(self) -> bool:
        """It asks for something harmful."""
        return self.scores["adversarial"] >= THRESHOLDS["adversarial"]

    @property
    def jail_breaking(self) -> bool:
        """It wants to talk the assistant out of its rules."""
        return self.scores["jail_breaking"] >= THRESHOLDS["jail_breaking"]

    @property
    def small_talk(self) -> bool:
        """It is chat, not a question to documents."""
        return self.scores["small_talk"] >= THRESHOLDS["small_talk"]


def classify(query: str, history: Sequence[PastTurn] = ()) -> QueryClasses:
    """Return what kind of query *query* is after the turns of *history*.

    A short reply to what the assistant asked back is never small talk, but for thanks and the like;
    nor is a "yes" to what it told.
    """
    if (found := distress.read(query)) is not None:
        return _of_distress(query, found)
    scores = _model().scores(query)
    last = history[-1:]
    spoken = detection.detect_in(last[0].query, [last[0].answer], "") if last else ""
    talk = kinds.kind_of(query, spoken)
    replies = _is_reply(query, history)
    if replies and talk is not None and talk.kind in _REPLYING:
        talk = None
    takes_up = not replies and _takes_up(query, talk, history)
    if takes_up:
        scores[TALK] = 0.0
    elif talk is not None:
        scores[TALK] = 0.0 if talk.kind in kinds.ASKING else max(scores[TALK], _CERTAIN)
    elif replies or _asks_of_subject(query) or _asks_on(query, history):
        scores[TALK] = 0.0
    is_unclear = talk is not None and talk.kind is Kind.UNCLEAR
    return QueryClasses(
        scores=scores,
        no_clear_intent=is_unclear or (not replies and _is_unclear(query, scores)),
        talk=talk,
        takes_up=takes_up,
    )


def _asks_of_subject(query: str) -> bool:
    """Tell whether *query* asks for what the documents are about: "Who is behind this program?"."""
    if _SUBJECT.search(query) is None:
        return False
    return question_kinds.read(query, detection.detect(query, "en")).kind is not QuestionKind.OTHER


def at_worst(understood: QueryClasses) -> QueryClasses | None:
    """Return *understood* as of acute distress where it is of another, `None` where of none."""
    found = understood.distress
    if found is None or found.acute:
        return None
    return msgspec.structs.replace(
        understood,
        distress=Distress(found.language, acute=True),
        talk=SmallTalk(Kind.DISTRESS, found.language),
    )


def _of_distress(query: str, found: Distress) -> QueryClasses:
    """Return the classes of a *query* that tells of distress: neither harmful nor mere talk."""
    scores = _model().scores(query) | {TALK: 0.0}
    if not found.acute:
        return QueryClasses(scores=scores, no_clear_intent=False, distress=found)
    talk = SmallTalk(Kind.DISTRESS, found.language)
    scores["adversarial"] = 0.0
    return QueryClasses(scores=scores, no_clear_intent=False, talk=talk, distress=found)


def without_small_talk(history: Sequence[PastTurn]) -> Sequence[PastTurn]:
    """Return the turns of *history* that tell what the next query is about.

    Who greeted asked nothing, and what follows is no follow-up.
    """
    found = ((turn, kinds.kind_of(turn.query)) for turn in history)
    return tuple(turn for turn, talk in found if talk is None or talk.kind in _REPLYING)


def _is_reply(query: str, history: Sequence[PastTurn]) -> bool:
    """Tell whether *query* may reply to a question of the assistant.

    What is replied to small talk ends with a question too ("anything else?"), which expects none.
    """
    if not history or len(query.split()) > _REPLIES:
        return False
    last = history[-1]
    asked = last.answer.rstrip().endswith(("?", "？"))
    return asked and kinds.kind_of(last.query) is None


def _takes_up(query: str, talk: SmallTalk | None, history: Sequence[PastTurn]) -> bool:
    """Tell whether *query*, which is so much *talk*, asks for what goes on with the last answer.

    Who only says no wants nothing more; what follows a no may tell what is wanted instead.
    """
    if not history or not history[-1].answer or not taken_up(history):
        return False
    if talk is None:
        return assents.assents(query) or assents.denies(query)
    return talk.kind is Kind.ACKNOWLEDGEMENT and assents.assents(query)


def _asks_on(query: str, history: Sequence[PastTurn]) -> bool:
    """Tell whether *query* asks on about what was answered, in words that alone say little.

    "For how long?" is as short as chat is.
    """
    if not history or not history[-1].answer or kinds.kind_of(history[-1].query) is not None:
        return False
    return leaning.after(query, history[-1].query).leaning is not Leaning.ALONE


def taken_up(history: Sequence[PastTurn]) -> str:
    """Return the last query of *history* that is no small talk, "" where there is none."""
    asked = (turn.query for turn in reversed(history) if kinds.kind_of(turn.query) is None)
    return next(asked, "")


def _is_unclear(query: str, scores: Mapping[str, float]) -> bool:
    """Tell whether there is nothing in *query* that one could look for."""
    found = words.words(query)
    if not any(character.isalnum() for word in found for character in word):
        return True
    if _MASHED.search(query.lower()) and len(found) <= 2:
        return True
    return scores["small_talk"] >= THRESHOLDS["small_talk"] and not content_terms.of(query)


class Model(msgspec.Struct, frozen=True):
    """The weights of the classifiers, and the vocabulary of small talk."""

    scales: list[float]
    biases: list[float]
    weights: list[memoryview]
    vocabulary: memoryview

    def scores(self, query: str) -> dict[str, float]:
        """Return the score of *query* for each class."""
        found = features.features(query)
        talk = features.talk_features(query, self.vocabulary)
        scores = {
            name: self._score(at, found | talk if name == TALK else found)
            for at, name in enumerate(CLASSES)
        }
        told = features.words(query)
        # A word that was never seen tells nothing for or against: alone ("VPC") it would pass for
        # small talk, since that is short.
        if told and not any(features.knows(self.vocabulary, word) for word in told):
            scores[TALK] = 0.0
        return scores

    def _score(self, at: int, found: Mapping[int, float]) -> float:
        weights = self.weights[at]
        linear = sum(weights[number] * value for number, value in found.items())
        linear = self.biases[at] + self.scales[at] * linear
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, linear))))


def read_model(data: bytes) -> Model:
    """Return the classifiers whose weights are *data*."""
    head, count = struct.calcsize("<2f"), len(CLASSES)
    pairs = [struct.unpack_from("<2f", data, at * head) for at in range(count)]
    body, each = memoryview(data)[count * head :], features.size()
    steps = body[: count * each].cast("b")
    return Model(
        scales=[scale for scale, _ in pairs],
        biases=[bias for _, bias in pairs],
        weights=[steps[at * each : (at + 1) * each] for at in range(count)],
        vocabulary=body[count * each :],
    )


@functools.cache
def _model() -> Model:
    """Read ``query_classes.bin``."""
    file = importlib.resources.files("service.answering.query_classes").joinpath(
        "query_classes.bin"
    )
    return read_model(file.read_bytes())
