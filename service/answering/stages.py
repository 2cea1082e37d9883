"""Name the stages of an answer, and let who observes them stand around each."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable


class Stage(enum.StrEnum):
    """What is done for an answer, in this order; the ones that it does not need are left out."""

    UNDERSTANDING = "understanding"
    """What kind of query it is."""
    REPHRASING = "rephrasing"
    """In which words it is looked up."""
    RETRIEVING = "retrieving"
    """What the data stores have for it, with the sections around that."""
    JUDGING = "judging"
    """Whether what was found answers it."""
    GENERATING = "generating"
    """The text, from the prompt to the last piece; a reader who is slow makes it longer."""
    PROVING = "proving"
    """Holding the text against its sources."""
    RELATING = "relating"
    """Which other questions the portal answers."""


Stages = Callable[[Stage], contextlib.AbstractContextManager[object]]
"""Gives what is entered when a stage begins, and left when it ends, by an error too."""


def unobserved(_: Stage) -> contextlib.AbstractContextManager[object]:
    """Stand around a stage, and do nothing."""
    return contextlib.nullcontext()
