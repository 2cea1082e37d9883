"""Hold a history to the promises: what was accepted ends, and everybody read the same.

All functions are plain: they take what was recorded and return sentences about what is wrong.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from service.answering.views.replies import FALLBACK
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import BEGINNING, Position
from tests.chaos import model
from tests.chaos.records import Heard, Question, Story

TAKE_OVERS: Final = 2
"""After so many an answer may have FAILED with the reason WRITER_LOST."""

_VARYING: Final = re.compile(r"projects/\S+|'[^']*'|\bq?\d+(?:[-.]\d+)*")
"""What differs between two violations of a kind: names, texts, numbers and positions."""

_ENDED: Final = ("SUCCEEDED", "FAILED")


class Kept(NamedTuple):
    """What the service keeps of one answer: the resource, None where there is none, and its log."""

    stored: dict[str, Any] | None
    entries: Sequence[LogEntry]


class Log(msgspec.Struct, frozen=True):
    """A log, as far as readers can see it."""

    texts: dict[Position, str]
    """The text up to and with each position."""
    resets: tuple[Position, ...]
    faults: list[str]


def unfolded(entries: Sequence[LogEntry]) -> Log:
    """Return the texts of a log, and where it is not what one writer after the other writes."""
    faults: list[str] = []
    texts: dict[Position, str] = {}
    resets: list[Position] = []
    text, last = "", BEGINNING
    for place, entry in enumerate(entries):
        position, event = entry.position, entry.event
        begins = position == (last.epoch + 1, 0)
        if not begins and (not place or position != last.following):
            faults.append(f"its log goes from {last} to {position}")
        if begins != isinstance(event, events.Started):
            faults.append(f"its log has a {type(event).__name__} at {position}")
        if isinstance(event, events.TERMINAL) != (place == len(entries) - 1):
            faults.append(f"its log has {type(event).__name__} at {position} of {len(entries)}")
        if entry.reset:
            text = ""
            resets.append(position)
        if isinstance(event, events.TextAppended):
            text += event.text
        elif isinstance(event, events.Skipped):
            text = event.text
        texts[position], last = text, position
    return Log(texts, tuple(resets), faults)


def check_question(question: Question, stories: Sequence[Story], kept: Kept) -> list[str]:
    """Return what is wrong with the answer to *question*, and with what was heard of it."""
    said = {answer for story in stories for answer in story.answers}
    if len(said) != 1:
        return [f"it was accepted as {len(said)} answers: {sorted(said)}"]
    if kept.stored is None:
        return ["it was accepted, and is lost"]
    if kept.stored.get("state") not in _ENDED:
        return [f"it is stuck: {kept.stored.get('state')}"]
    log = unfolded(kept.entries)
    faults = [*log.faults, *_check_end(question, stories, kept)]
    for story in stories:
        faults += (f"{story.reader}: {fault}" for fault in _check_story(story, log, kept.stored))
    return faults


def _check_end(question: Question, stories: Sequence[Story], kept: Kept) -> Iterator[str]:
    """Compare the stored answer with its log and with what the model says."""
    stored = kept.stored or {}
    text, right = stored.get("answerText", ""), model.answer(question.number)
    if is_skipped(stored):
        right = FALLBACK
    if stored["state"] == "SUCCEEDED":
        if text != right:
            yield f"its text is wrong: {difference(text, right)}"
        return
    if not right.startswith(text):
        yield f"its part of a text is wrong: {difference(text, right)}"
    reasons = {story.reason for story in stories if story.end is not None} or {"unheard"}
    taken = kept.entries[-1].position.epoch - 1 if kept.entries else 0
    for reason in reasons:
        if not (
            (reason == "CANCELLED" and question.cancelled)
            or (reason == "WRITER_LOST" and taken >= TAKE_OVERS)
        ):
            yield f"it FAILED after {taken} take-overs: {reason}"


def _check_story(story: Story, log: Log, stored: dict[str, Any]) -> Iterator[str]:
    """Compare what one client heard with the log, element by element, and with the answer."""
    yield from story.complaints
    if story.end is None:
        yield "never heard the end"
    elif story.end != stored:
        yield f"heard another end than is stored: {_fields(story.end, stored)}"
    text, last = "", None
    for heard in story.heard:
        if heard.fresh:
            text, last = "", None
        yield from _check_order(heard, last, log)
        text = heard.text if heard.terminal or heard.reset else text + heard.text
        known = log.texts.get(heard.position)
        if known is None:
            yield f"heard {heard.position}, which is not in the log"
        elif text != known:
            yield f"has another text at {heard.position}: {difference(text, known)}"
            text = known  # one fault is told once
        last = heard.position


def _check_order(heard: Heard, last: Position | None, log: Log) -> Iterator[str]:
    if last is not None and heard.position <= last:
        yield f"heard {heard.position} after {last}"
    anew = any((last or BEGINNING) < reset <= heard.position for reset in log.resets)
    if heard.reset and not anew:
        yield f"was told to drop everything at {heard.position}, behind {last}, without a cause"
    if anew and last is not None and not (heard.reset or heard.terminal):
        yield f"was not told that {heard.position}, behind {last}, is written anew"


def is_skipped(stored: Mapping[str, Any]) -> bool:
    """Tell whether there was no answer for want of sources: that is judged elsewhere."""
    return stored.get("answerSkippedReasons") == ["OUT_OF_DOMAIN_QUERY_IGNORED"]


def check_turns(owner: str, document: Mapping[str, Any], accepted: Sequence[Kept]) -> list[str]:
    """Return what is wrong with the turns, or messages, of a session or conversation.

    What was cancelled while it waited was never asked there.
    """
    told = {str((kept.stored or {}).get("name")): kept for kept in accepted}
    begun = {name for name, kept in told.items() if not _may_be_withdrawn(kept)}
    if "/conversations/" not in owner:
        turns = [turn["answer"] for turn in document.get("turns", ())]
        return _amiss(owner, "turns", turns, begun, told)
    said = document.get("messages", ())
    kinds = ["userInput" if "userInput" in message else "reply" for message in said]
    if kinds != ["userInput", "reply"] * (len(kinds) // 2):
        return [f"{owner} has, for {len(told)} answers, {kinds}"]
    replies = [message["reply"].get("reply", "") for message in said[1::2]]
    texts = {
        name: (kept.stored or {}).get("answerText", "") or FALLBACK for name, kept in told.items()
    }
    return _amiss(owner, "replies", replies, {texts[name] for name in begun}, texts.values())


def _may_be_withdrawn(kept: Kept) -> bool:
    last = kept.entries[-1].event if kept.entries else None
    return len(kept.entries) == 2 and isinstance(last, events.Failed)


def _amiss(
    owner: str, what: str, found: Sequence[str], needed: Collection[str], known: Collection[str]
) -> list[str]:
    faults: list[str] = []
    if missing := set(needed) - set(found):
        faults.append(f"{owner} lacks {len(missing)} {what}")
    if strange := set(found) - set(known):
        faults.append(f"{owner} has {len(strange)} {what} of nobody: {sorted(strange)[:2]}")
    if len(found) - found.count(FALLBACK) > len(set(found) - {FALLBACK}):
        faults.append(f"{owner} has {what} twice")
    return faults


def kinds(violations: Sequence[str]) -> Counter[str]:
    """Count *violations* by what is wrong, whichever answer and place it is about."""
    return Counter(_VARYING.sub("…", violation) for violation in violations)


def difference(found: str, right: str) -> str:
    """Say where *found* leaves *right*."""
    at = next((n for n, pair in enumerate(zip(found, right, strict=False)) if len({*pair}) > 1), -1)
    if at < 0:
        at = min(len(found), len(right))
    return f"at {at} of {len(right)}: {found[at : at + 20]!r} for {right[at : at + 20]!r}"


def _fields(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return sorted(key for key in {*one, *other} if one.get(key) != other.get(key))


class Stall(NamedTuple):
    """How long something of an answer was not heard, and from when."""

    since: float
    seconds: float


def stalls(stories: Sequence[Story]) -> list[Stall]:
    """Return how long nobody heard anything at each take-over, as all readers together saw it."""
    sights = _sights(stories)
    found: list[Stall] = []
    epochs = sorted({position.epoch for position in sights})
    for before, after in itertools.pairwise(epochs):
        last = max(at for position, at in sights.items() if position.epoch <= before)
        first = min(at for position, at in sights.items() if position.epoch >= after)
        found.append(Stall(last, first - last))
    return found


def lags(stories: Sequence[Story], reader: str) -> list[Stall]:
    """Return how long after the first reader one called *reader* heard what came live."""
    sights = _sights(stories)
    return [
        Stall(sights[heard.position], heard.at - sights[heard.position])
        for story in stories
        for heard in story.heard
        if heard.live and story.reader == reader
    ]


def _sights(stories: Sequence[Story]) -> dict[Position, float]:
    """Return when each position was heard for the first time."""
    sights: dict[Position, float] = {}
    for story in stories:
        for heard in story.heard:
            sights[heard.position] = min(heard.at, sights.get(heard.position, heard.at))
    return sights
