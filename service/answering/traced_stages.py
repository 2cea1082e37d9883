"""Trace each stage of an answer, inside whatever else observes it."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from service.answering.stages import Stage, Stages
from sessions import spans


def traced(stages: Stages) -> Stages:
    """Return what stands around a stage as *stages* does, and makes it a part of current work."""

    @contextlib.contextmanager
    def around(stage: Stage) -> Generator[None]:
        # Not current: a stage that yields text would be so for whoever takes the text, too.
        with stages(stage), spans.part(stage.value):
            yield

    return around
