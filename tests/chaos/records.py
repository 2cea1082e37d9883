"""What was asked and what each client heard: the history that is checked in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from streaming.log.positions import Position


class Question(msgspec.Struct, kw_only=True):
    """One query, and what is known of its answer."""

    number: int
    id: str
    frame: dict[str, Any]
    """What asks it, the same whoever sends it."""
    user: str = ""
    """Who may read it, where everybody has to show who it is."""
    answer: str = ""
    cancelled: bool = False
    """Whether somebody asked for its end."""
    accepted_at: float = 0.0
    ended_at: float = 0.0


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """One element, as a client heard it."""

    at: float
    position: Position
    text: str
    terminal: bool = False
    reset: bool = False
    live: bool = False
    """Whether something came before it on the same connection: then it is no replay."""
    fresh: bool = False
    """Whether the client had forgotten what it heard before, and asked for everything."""


class Story(msgspec.Struct, kw_only=True):
    """What one client heard of one question."""

    question: Question
    reader: str
    """What kind of client it was."""
    answers: set[str] = msgspec.field(default_factory=set[str])
    """What it was told that its answer is: one name."""
    heard: list[Heard] = msgspec.field(default_factory=list[Heard])
    end: dict[str, Any] | None = None
    """The whole answer, in the last element."""
    reason: str = ""
    """Why it FAILED, as that element said."""
    complaints: list[str] = msgspec.field(default_factory=list[str])
    """What no service should say."""
    drops: int = 0
    """Connections that ended before the answer did."""
    expired: int = 0
    """Those of them that ended with their token."""

    def tell(self, element: Heard) -> None:
        """Note *element*."""
        self.heard.append(element)

    @property
    def position(self) -> Position | None:
        """The position of what was heard last."""
        return self.heard[-1].position if self.heard else None


class Book(msgspec.Struct, kw_only=True):
    """Everything that was asked and heard in one experiment."""

    questions: list[Question] = msgspec.field(default_factory=list[Question])
    stories: list[Story] = msgspec.field(default_factory=list[Story])

    def open(self, question: Question, reader: str) -> Story:
        """Begin the story of one more client."""
        story = Story(question=question, reader=reader)
        self.stories.append(story)
        return story

    def by_question(self) -> Mapping[str, list[Story]]:
        """Return the stories of each question by its id."""
        found: dict[str, list[Story]] = {}
        for story in self.stories:
            found.setdefault(story.question.id, []).append(story)
        return found
