"""Bring answers to life: accept them, write them, finish them, whatever happens to a process."""

from __future__ import annotations

from sessions.resources import answers
from streaming.claims import Accepted, Submission


class Runner:
    """Runs the answers of this replica. It works while it is entered: ``async with runner``."""

    async def submit(self, submission: Submission) -> Accepted:
        """Accept *submission*: start its answer, or queue it behind the one that is running.

        Atomic and durable: after it the answer ends, in whichever process.

        Raises:
            NotFound: there is no such session, and nothing to create it from.
            FailedPrecondition: the conversation is completed (CONVERSATION_COMPLETED).
            ResourceExhausted: too many answers wait in this session (QUEUE_FULL).
            Unavailable: Redis is away, or this replica stops (SHUTTING_DOWN).
        """

    async def cancel(self, answer: str) -> None:
        """Stop *answer* wherever it runs; harmless where it has ended.

        It ends FAILED with the reason CANCELLED and keeps its text.

        Raises:
            NotFound: there is no such answer.
            Unavailable: Redis is away.
        """

    async def finished(self, answer: str) -> answers.Answer:
        """Wait for the end of *answer*, wherever it runs, and return it.

        Raises:
            NotFound: there is no such answer, or its session was deleted meanwhile.
            Unavailable: Redis is away.
        """

    async def adopt(self, answer: str) -> None:
        """Take *answer* over at once if its lease has run out; call it when a reader attaches.

        Raises:
            Unavailable: Redis is away.
        """

    async def drain(self, grace: float) -> None:
        """Accept nothing more, wait *grace* seconds for what runs, and hand over the rest."""
