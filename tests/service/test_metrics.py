from __future__ import annotations

import datetime as dt

from service.metrics import BOUNDS, Metrics
from sessions.resources.answers import Answer, AnswerSkippedReason, State

ASKED = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def test_an_answer_that_ended_is_counted_with_the_time_that_it_took() -> None:
    metrics = Metrics()
    metrics.ended(
        Answer(
            state=State.SUCCEEDED, create_time=ASKED, complete_time=ASKED + dt.timedelta(seconds=2)
        )
    )
    text = metrics.text().decode()
    assert 'colloquy_answers_total{skipped="false",state="SUCCEEDED"} 1.0' in text
    assert "colloquy_answer_seconds_sum 2.0" in text


def test_an_answer_that_was_skipped_is_counted_as_such() -> None:
    metrics = Metrics()
    skipped = (AnswerSkippedReason.LOW_GROUNDED_ANSWER,)
    metrics.ended(Answer(state=State.SUCCEEDED, answer_skipped_reasons=skipped))
    assert 'skipped="true",state="SUCCEEDED"} 1.0' in metrics.text().decode()


def test_every_bound_is_told_before_anything_is_refused_at_it() -> None:
    """Who alerts on a rise needs the zero that it rises from."""
    metrics = Metrics()
    metrics.refused("answers")
    text = metrics.text().decode()
    assert 'colloquy_refused_total{bound="answers"} 1.0' in text
    for bound in BOUNDS[1:]:
        assert f'colloquy_refused_total{{bound="{bound}"}} 0.0' in text


def test_a_gauge_is_asked_whenever_it_is_read() -> None:
    metrics, values = Metrics(), iter((3.0, 4.0))
    metrics.watch("connections", "WebSockets that are open", lambda: next(values))
    assert "colloquy_connections 3.0" in metrics.text().decode()
    assert "colloquy_connections 4.0" in metrics.text().decode()
