from __future__ import annotations

import datetime as dt

from service.metrics.metrics import BOUNDS, Metrics
from sessions.resources.answers import Answer, AnswerSkippedReason, State
from streaming.log.events import Succeeded

ASKED = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
ENDED = Succeeded(at=ASKED)


def test_an_answer_that_ended_is_counted_with_the_time_that_it_took() -> None:
    metrics = Metrics()
    answer = Answer(
        state=State.SUCCEEDED, create_time=ASKED, complete_time=ASKED + dt.timedelta(seconds=2)
    )
    metrics.answers.ended(answer, ENDED)
    text = metrics.text().decode()
    assert 'colloquy_answers_total{skipped="false",state="SUCCEEDED"} 1.0' in text
    assert 'colloquy_answer_seconds_sum{state="SUCCEEDED"} 2.0' in text


def test_an_answer_that_was_skipped_is_counted_as_such() -> None:
    metrics = Metrics()
    skipped = (AnswerSkippedReason.LOW_GROUNDED_ANSWER,)
    metrics.answers.ended(Answer(state=State.SUCCEEDED, answer_skipped_reasons=skipped), ENDED)
    assert 'skipped="true",state="SUCCEEDED"} 1.0' in metrics.text().decode()


def test_each_reason_of_a_skipped_answer_is_counted_once() -> None:
    metrics = Metrics()
    reason = AnswerSkippedReason.NO_RELEVANT_CONTENT
    metrics.answers.ended(
        Answer(state=State.SUCCEEDED, answer_skipped_reasons=(reason, reason)), ENDED
    )
    line = 'colloquy_answers_skipped_total{reason="NO_RELEVANT_CONTENT"} 1.0'
    assert line in metrics.text().decode()


def test_a_request_is_counted_by_its_method_and_the_class_of_its_status() -> None:
    metrics = Metrics()
    metrics.responded("AnswerQuery", 404, 2.0)
    metrics.responded("AnswerQuery", 429, 1.0)
    text = metrics.text().decode()
    assert 'colloquy_http_requests_total{method="AnswerQuery",status="4xx"} 2.0' in text
    assert 'colloquy_http_request_seconds_sum{method="AnswerQuery"} 3.0' in text


def test_what_happened_to_an_answer_is_counted() -> None:
    metrics = Metrics()
    metrics.answers.accepted()
    metrics.answers.taken_over()
    metrics.answers.first_text(0.5)
    metrics.model_used(30, 12)
    text = metrics.text().decode()
    assert "colloquy_answers_accepted_total 1.0" in text
    assert "colloquy_answers_taken_over_total 1.0" in text
    assert "colloquy_answer_first_text_seconds_sum 0.5" in text
    assert 'colloquy_model_tokens_total{kind="prompt"} 30.0' in text
    assert 'colloquy_model_tokens_total{kind="completion"} 12.0' in text


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
