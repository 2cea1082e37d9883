"""Make a question whole that is but a part of the one before it.

Who asks on keeps the frame of what was asked and exchanges one piece: "and from Blume?" after "How
do I import plans from Acme?", "and a list?" after "How do I add a guest?". Or a pronoun stands for
the thing: "and how do I delete it?". Of English questions of the usual frames; what fits none of
them stays as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from service.language import detection, function_words, question_parts, tags
from service.language.queries import leaning
from service.language.queries.leaning import Leaning

_LANGUAGE: Final = "en"
_READ: Final = 160
"""Characters of a question whose frame is read; a longer one is a story."""
_TURNS: Final = 4
"""Questions that may lean on each other."""
_MARKS: Final = " \t\r\n?.!"
_PERSON: Final = r"(?:i|we|you|one|people|users?|someone|somebody)"
_MODAL: Final = r"(?:do|does|did|can|could|should|would|must|may|will)"
_PREPOSITIONS: Final = (
    "about|after|as|at|before|between|by|for|from|in|inside|into|on|onto|over|through|to|under|via"
    "|with|within|without"
)
_DETERMINERS: Final = (
    r"(?:an?|the|my|our|your|his|her|its|their|this|that|these|those|all|any|some|several)"
)
_CLAUSES: Final = "because|if|so|unless|until|when|while"
"""What begins a clause that says why or when."""
_PIECE: Final = re.compile(rf"(?<=\s)(?=(?:{_PREPOSITIONS}|{_CLAUSES})\b)", re.IGNORECASE)
"""Between a noun and each phrase or clause behind it."""
_PRONOUN: Final = re.compile(
    r"\b(?:it|them|they)\b"
    r"|(?P<kind>\b(?:an?|the) (?!other |same |first |second |third |last )\w+ )one\b"
    r"|(?<! than )(?<!\b(?:the|any) )(?<!\b(?:this|that|each) )(?<!\b(?:which|other) )\bone\b"
    r"(?=\W*$| (?:for|in|on|with|to|from|up|again|too)\b)",
    re.IGNORECASE,
)
"""What stands for the thing that was asked about, "a new one" for another of its kind."""
_DEED: Final = re.compile(
    rf"\W*(?:(?:how|where|when|why|in which \w+) {_MODAL} {_PERSON}|how to|{_MODAL} (?:i|we|one)"
    r"|is it possible to)\s+(?:also |still |even )?"
    r"(?P<verb>[a-z]+(?: (?:and|or) [a-z]+)?(?: (?:up|in|out|off|on|down))?)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
"""Asks what to do with a thing: "How do I add a guest to a list?"."""
_BEING: Final = re.compile(
    r"\W*(?:what|where|who|when|how)(?: (?:is|are|was|were)|['’]s|s) (?P<rest>.+)", re.IGNORECASE
)
"""Asks for what a thing is, or where."""
_DOES: Final = (
    r"\W*(?:what|where|when|how (?:much|often|long|many \w+)|(?:which|what) \w+) (?:does|do|did)"
    rf" (?!{_PERSON}\b)"
)
_DOING: Final = re.compile(rf"{_DOES}(?P<rest>.+?)(?= \w+$)", re.IGNORECASE)
"""Asks for what a thing does, needs, or costs."""
_DONE: Final = re.compile(rf"{_DOES}.+? \w+ (?P<rest>{_DETERMINERS} .+)", re.IGNORECASE)
"""Asks where, or how often, something does what to a thing."""
_LASTS: Final = re.compile(
    r"(?P<asks>how (?:long|much time|much)) (?:does|will|would|do) (?:that|it|this)"
    r" (?P<verb>take|cost)\W*",
    re.IGNORECASE,
)
"""Asks how long a deed takes."""


class _Frame(NamedTuple):
    """A question of a usual frame, where its thing is *thing*."""

    before: str
    """What asks, up to the verb."""
    verb: str
    thing: str
    phrases: tuple[str, ...]
    """What prepositions begin, behind the thing."""
    after: str = ""

    def asked(self) -> str:
        """Return the question."""
        told = (self.before, self.verb, self.thing, *self.phrases, self.after)
        return " ".join(filter(None, (piece.strip() for piece in told)))


class WholeQuestion(NamedTuple):
    """A question as it was *asked*, and *text*, which is whole where that is known."""

    asked: str
    text: str
    exchanges: bool = False
    """Whether it is the question before with one piece exchanged, and so is of another thing."""

    @property
    def was_part(self) -> bool:
        """Whether it was but a part."""
        return self.text != self.asked


def questions(query: str, language: str, past: Sequence[str] = ()) -> tuple[WholeQuestion, ...]:
    """Return the questions of *query*, which was asked after those of the *past*, oldest first."""
    alone = after_turns(query, past)
    if alone.was_part:
        return (alone,)
    found = list[WholeQuestion]()
    for part in question_parts.cut(query, language):
        found.append(after_turns(part, [found[-1].text] if found else []))
    return tuple(found)


def after_turns(query: str, past: Sequence[str]) -> WholeQuestion:
    """Return *query*, which was asked after the questions *past*, oldest first."""
    frame = last = ""
    for one in past[-_TURNS:]:
        read = _whole(one, frame, last)
        last = read.text
        frame = frame if read.exchanges else last
    return _whole(query, frame, last)


@functools.lru_cache(maxsize=256)
def _whole(query: str, framing: str, last: str) -> WholeQuestion:
    """Return *query* as *framing* with a piece exchanged, or with the thing of *last*."""
    if not last or max(len(query), len(last), len(framing)) > _READ:
        return WholeQuestion(query, query)
    if tags.base(detection.detect_in(query, [last])) != _LANGUAGE:
        return WholeQuestion(query, query)
    read = leaning.read(query, _LANGUAGE)
    asked = read.asked.strip(_MARKS)
    frame = _read(last)
    lasts = _LASTS.fullmatch(asked)
    if frame and frame.verb and lasts:
        deed = f"{frame.verb} {frame.thing}"
        return WholeQuestion(query, f"{lasts['asks']} does it {lasts['verb']} to {deed}?")
    pronoun = read.leaning is Leaning.REFERENCE and not _AROUND.search(asked)
    if frame and pronoun and _DEED.match(asked):
        told = _with_thing(asked, frame.thing)
        if told == asked:
            return WholeQuestion(query, query)
        same = (one.strip() for one in frame.phrases if _NAMES_PLACE.match(one))
        return WholeQuestion(query, f"{' '.join((told, *same))}?")
    if read.leaning is Leaning.TURN:
        asked = _TURNS_TO.sub("", asked)
    elif read.leaning is not Leaning.ELLIPSIS and not _is_deed(asked):
        return WholeQuestion(query, query)
    frame = _read(framing)
    asks = _ASKS_ON.match(query) and not _REPLIES.match(asked)
    if frame is None or not (asks and _names(asked)) or _NO_PIECE.search(asked):
        return WholeQuestion(query, query)
    return WholeQuestion(query, f"{_exchanged(frame, asked).asked()}?", exchanges=True)


_NAMES_PLACE: Final = re.compile(r"(?:on|under) (?:an? |the |my |our )?[A-Z]")
"""Begins what says on which system something is done: "on a Mac"."""
_AROUND: Final = re.compile(r"\b(?:in|inside|on|with|without|at|by|under) (?:it|them|one)\b", re.I)
"""Something is done in it or with it, and is what the question is about."""
_ASKS_ON: Final = re.compile(
    rf"\W*(?:and|or|but|(?:what|how) about|{_PREPOSITIONS})\b", re.IGNORECASE
)
"""Begins what asks on, and is neither a reply nor something else."""
_REPLIES: Final = re.compile(
    r"(?:yes|yep|yeah|yup|no|nope|not|never|none|neither|both|ok|okay|sure|right|true|false|thanks?"
    r"|please|correct|exactly|maybe|probably)\b",
    re.IGNORECASE,
)
"""What begins a reply."""
_NO_PIECE: Final = re.compile(
    r"\A\w+ing\Z|\b(?:wh(?:at|ich|en|ere|y|o|ose)|how|that)\b|['’]s? ", re.IGNORECASE
)
"""A deed without a thing, or a question of its own: it stands in the place of no noun."""
_TURNS_TO: Final = re.compile(r"(?:what|how) about\s+", re.IGNORECASE)


def _read(question: str) -> _Frame | None:
    """Return the frame of *question*, None where it has none of those that are known."""
    question = leaning.read(question, _LANGUAGE).asked.strip(_MARKS)
    for pattern in (_DEED, _DONE, _DOING, _BEING):
        if found := pattern.match(question):
            thing, *phrases = _PIECE.split(found["rest"])
            thing, _, particle = _PARTICLE.sub(r"|\g<0>", thing.strip()).partition("|")
            verb = found["verb"] if pattern is _DEED else ""
            if (
                not _names(thing)
                or verb == "do"
                or _OPENS.fullmatch(phrases[-1] if phrases else "")
            ):
                return None
            before = question[: found.start("verb" if verb else "rest")]
            after = f"{particle} {question[found.end('rest') :]}"
            return _Frame(before, verb, thing.strip(), tuple(phrases), after)
    return None


_PARTICLE: Final = re.compile(r" (?:up|in|out|off|on|down|over|back|away)\Z", re.IGNORECASE)


def _names(thing: str) -> bool:
    """Tell whether *thing* names something that can be asked about again."""
    empty = function_words.of(_LANGUAGE) | _NAMELESS
    return any(word.lower() not in empty for word in re.findall(r"\w+", thing))


_NAMELESS: Final = frozenset(
    ("difference", "differences", "one", "ones", "first", "second", "same", "other", "else")
)


def _with_thing(asked: str, thing: str) -> str:
    """Return *asked* with *thing* for the pronoun that stands for it."""
    bare = _LEADING.sub("", thing)

    def named(found: re.Match[str]) -> str:
        kind = found["kind"]
        if not kind:
            return thing
        return kind + (_WHICH.sub("", bare) if _WHICH.search(kind) else bare)

    return _PRONOUN.sub(named, asked, count=1)


_WHICH: Final = re.compile(r"\b(?:new|old|former|current|existing|previous|next) ", re.IGNORECASE)
"""Tells one of a kind from another."""
_LEADING: Final = re.compile(rf"{_DETERMINERS} ", re.IGNORECASE)


def _exchanged(frame: _Frame, part: str) -> _Frame:
    """Return *frame* with the piece exchanged that *part* stands in the place of."""
    opens = _OPENS.match(part)
    if opens is not None:
        same = [at for at, one in enumerate(frame.phrases) if _begins(one) == _begins(part)]
        kept = frame.phrases[: same[0]] if same else frame.phrases
        return frame._replace(phrases=(*kept, part))
    if frame.verb and _is_deed(part):
        verb, _, thing = part.partition(" ")
        return frame._replace(verb=verb, thing=_with_thing(thing, frame.thing), phrases=())
    return frame._replace(thing=_with_thing(part, frame.thing))


_OPENS: Final = re.compile(rf"(?:{_PREPOSITIONS})\b", re.IGNORECASE)


def _begins(phrase: str) -> str:
    return phrase.split(maxsplit=1)[0].lower()


def _is_deed(part: str) -> bool:
    """Tell whether *part* is a verb with what it is done to: "delete it", "empty the trash"."""
    found = _VERB.match(part)
    return found is not None and found[1].lower() not in function_words.of(_LANGUAGE)


_VERB: Final = re.compile(
    r"([a-z]+) (?:it|them|one|an?|the|my|our|your|his|her|its|their|all|any|some)\b", re.IGNORECASE
)
