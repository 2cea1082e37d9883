"""The requests of one connection that are open, and the one id that each answer is followed as.

An id is one of its client: of who knows a secret that a ``ready`` gave, and where there are
principals, of the same one. What another client asked under the same id is no matter to it. An
answer is followed once per connection, since two readers of it would hear the same:

=========  =============  =============  =============
of an id   free           submitted      followed
=========  =============  =============  =============
request    submitted      submitted      followed
other      submitted      submitted      followed
accepted                  followed       followed
anew                                     free
refused                   free           free
ended                                    free
=========  =============  =============  =============

A *request* under an id that is followed is the same request, and answered by ``accepted`` once
more; one for an *other* answer is refused (ID_IN_USE). *Anew* is when the answer is accepted under
a second id, which takes it over; the first is told so (FOLLOWED_ANEW).
"""

from __future__ import annotations

from sessions.errors import AlreadyExists
from streaming.protocol.connection_commands import FollowAnswer, Request


class OpenRequests:
    """Which ids are open, and which answer each follows."""

    __slots__ = ("_answers", "_ids")

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        """The answer of each open id; "" until it was accepted."""
        self._answers: dict[str, str] = {}
        """The one id that each accepted answer is followed as."""

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, id: str) -> bool:
        return id in self._ids

    def open(self, id: str) -> None:
        """Open *id*, which is free."""
        self._ids[id] = ""

    def repeat(self, command: Request) -> str:
        """Return the answer of a request whose id is open, "" where it is not accepted yet.

        Raises:
            AlreadyExists: it follows another answer (ID_IN_USE).
        """
        answer = self._ids[command.id]
        if isinstance(command, FollowAnswer) and answer and command.answer != answer:
            raise AlreadyExists(
                "this id is open for another answer", reason="ID_IN_USE", id=command.id
            )
        return answer

    def former(self, id: str, answer: str) -> str:
        """Return the other id than *id* that *answer* is followed as, "" where there is none."""
        former = self._answers.get(answer, id)
        return former if former != id else ""

    def accept(self, id: str, answer: str) -> None:
        """Follow *answer* as *id*; what it was followed as before has been `end`ed."""
        self._ids[id] = answer
        self._answers[answer] = id

    def answer(self, id: str) -> str:
        """Return the answer of *id*; "" where none is accepted."""
        return self._ids.get(id, "")

    def end(self, id: str) -> None:
        """Let *id* be free, if it is not."""
        answer = self._ids.pop(id, "")
        if self._answers.get(answer) == id:
            del self._answers[answer]
