from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

import service
from service.answering.stages import Stage
from service.metrics.answer_metrics import FAILURES, OTHER, STAGES
from service.metrics.metrics import Metrics
from sessions.resources.answers import Answer, State
from streaming.log.events import Failed
from tests.metrics.test_exposition import values

AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
GUIDE = Path(service.__file__).parent / "guide"


def test_a_failure_is_counted_under_its_reason_or_among_the_others() -> None:
    metrics = Metrics()
    for reason in ("MODEL_TIMEOUT", "NOBODY_KNOWS", "NOR_THIS"):
        failed = Failed(at=AT, reason=reason, message="")
        metrics.answers.ended(Answer(state=State.FAILED), failed)
    read = values(metrics.text())
    assert read["colloquy_answers_failed_totalMODEL_TIMEOUT"] == 1
    assert read[f"colloquy_answers_failed_total{OTHER}"] == 2


def test_a_stage_is_timed_also_where_it_fails() -> None:
    metrics = Metrics()
    with pytest.raises(ZeroDivisionError), metrics.answers.stage("proving"):
        _ = 1 / 0
    read = values(metrics.text())
    assert read["colloquy_answer_stage_seconds_countproving"] == 1
    assert read["colloquy_answer_stage_seconds_countrelating"] == 0


def test_the_stages_are_those_of_the_pipeline() -> None:
    assert list(STAGES) == list(Stage)


def test_the_failures_are_those_that_the_guide_explains() -> None:
    page = (GUIDE / "answer-life-cycle.md").read_text("utf-8")
    table = page.partition("## Why does an answer fail?")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == sorted(FAILURES)
