"""The step in which the text of an answer is written, as far as it shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.generation.generator import Piece
from sessions.resources import answers
from sessions.resources.answers import Step, StepState
from streaming.log.events import AnswerEvent, StepChanged

LONGEST_THOUGHT: Final = 16_000
"""Characters that are kept of what a model thinks: the step is told and stored as a whole."""
_INDEX: Final = 1
"""It follows the search."""
_WRITE: Final = "Write the answer."


class WritingStep:
    """Shows what a model thinks, and that the writing failed; otherwise the text shows the step.

    Thoughts are told with the first text that follows them: where there is no answer, nobody sees
    them.
    """

    def __init__(self, written: answers.Answer) -> None:
        """Go on with the step that an earlier writer has *written*, if it shows."""
        steps = written.steps[_INDEX:]
        self._thought = steps[0].thought if steps else ""
        self._shows = self._inherits = bool(steps)
        self._thinks = self._told = False
        """Whether there are thoughts, and whether they were told."""

    def feed(self, piece: Piece) -> Sequence[AnswerEvent]:
        """Return what *piece* adds."""
        if piece.thought:
            if self._inherits:  # what led to a text that is no more
                self._thought, self._inherits = "", False
            if len(self._thought) < LONGEST_THOUGHT:
                self._thought = (self._thought + piece.thought).lstrip()[:LONGEST_THOUGHT]
            self._thinks = True
        elif self._thinks and piece.text and not self._told:
            # Once, and again with the end: a model may think between any two words.
            self._told = self._shows = True
            return (self._changed(StepState.IN_PROGRESS),)
        return ()

    def finish(self) -> Sequence[AnswerEvent]:
        """Return what is to be told once the text is whole."""
        return (self._changed(StepState.SUCCEEDED),) if self._shows else ()

    def fail(self) -> AnswerEvent:
        """Return that the text could not be written."""
        return self._changed(StepState.FAILED)

    def _changed(self, state: StepState) -> StepChanged:
        thought = self._thought.rstrip() if self._shows else ""
        return StepChanged(_INDEX, Step(state=state, description=_WRITE, thought=thought))
