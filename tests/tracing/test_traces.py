"""A trace goes from the client's to the last element, over replicas and over a death."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from service.answering.stages import Stage
from service.version import VERSION
from tests import redis_servers
from tests.tracing import takeover
from tests.tracing.collector import Collector, Span
from tests.tracing.takeover import ASKED, RESUMED, TakenOver
from tests.whole.asking import PAGES, QUERY, SAID, TOLD

pytestmark = pytest.mark.anyio


class Traced(NamedTuple):
    """An answer that was taken over, and the spans of it."""

    answer: TakenOver
    collector: Collector

    def one(self, name: str) -> Span:
        (span,) = self.collector.named(name)
        return span


@pytest.fixture(scope="module")
async def traced(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: str
) -> AsyncIterator[Traced]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as server,
    ):
        async with Collector() as collector:
            pages = tmp_path_factory.mktemp("traced")
            yield Traced(await takeover.run(pages, server.url, collector), collector)


async def test_one_trace_leads_from_the_client_over_the_take_over_to_the_end(
    traced: Traced,
) -> None:
    assert traced.answer.text == TOLD
    asked, accepted = traced.one("websocket answer"), traced.one("accept answer")
    taken, written = traced.one("take over answer"), traced.one("write answer")
    assert {span.trace for span in (asked, accepted, taken, written)} == {ASKED}
    assert asked.parent == takeover.CALLER
    assert (accepted.parent, taken.parent) == (asked.id, accepted.id)
    assert written.parent == taken.id
    assert asked.process == accepted.process != taken.process == written.process
    assert taken.attributes["colloquy.reset"] is True
    assert written.attributes["colloquy.epoch"] == 2
    assert written.attributes["colloquy.answer"] == traced.answer.answer
    assert written.failure == ""


async def test_the_stages_hang_on_what_was_sent_before_its_process_died(traced: Traced) -> None:
    sent = {span.id for span in traced.collector.spans} | {takeover.CALLER}
    assert [span.name for span in traced.collector.spans if span.parent not in sent] == []
    retrieved = traced.collector.named("retrieving")
    gave = [traced.one("accept answer"), traced.one("take over answer")]
    assert [(span.parent, span.process) for span in retrieved] == [
        (span.id, span.process) for span in gave
    ]
    stages = [span.name for span in traced.collector.spans if span.parent == gave[1].id]
    assert set(stages) >= {*Stage} - {"proving"}


async def test_a_model_is_called_by_the_conventions_for_generative_ai(traced: Traced) -> None:
    call = traced.one("chat scripted")
    assert call.kind == "CLIENT"
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.request.model"] == "scripted"
    assert call.attributes["gen_ai.response.finish_reasons"] == ["stop"]
    assert call.attributes["server.address"] == "127.0.0.1"
    assert [event.name for event in call.events] == ["first text"]


async def test_what_redis_acknowledged_is_told_by_the_one_span_of_the_writing(
    traced: Traced,
) -> None:
    written = traced.one("write answer")
    batches = [event for event in written.events if event.name == "batch acknowledged"]
    counts = [event.attributes["colloquy.batches"] for event in batches]
    assert counts == [2**at for at in range(len(batches))]
    assert counts[-1] <= written.attributes["colloquy.batches"] < 2 * counts[-1]
    assert written.attributes["colloquy.text_bytes"] == len(TOLD.encode())
    assert all(written.begin <= event.at <= written.end for event in written.events)


async def test_who_reads_on_elsewhere_has_a_trace_of_its_own_that_points_to_the_answers(
    traced: Traced,
) -> None:
    resumed, told = traced.one("websocket resume"), traced.one("tell answer")
    accepted = traced.one("accept answer")
    assert {resumed.trace, told.trace} == {RESUMED}
    assert resumed.links == [(ASKED, accepted.id)]
    assert told.parent == resumed.id
    assert told.end >= traced.one("write answer").events[-1].at
    assert told.failure == ""


async def test_nothing_that_was_asked_said_or_read_is_in_a_trace(traced: Traced) -> None:
    sent = json.dumps(traced.collector.spans)
    for text in (QUERY, *SAID, "weeks", *PAGES["loans.md"].splitlines()):
        assert not text or text not in sent


async def test_the_lines_of_the_logs_name_answer_and_trace(traced: Traced) -> None:
    _, log = traced.answer.logs
    lines = {line["event"]: line for line in log}
    for event in ("answer_taken_over", "answer_finished"):
        assert lines[event]["answer"] == traced.answer.answer
        assert lines[event]["trace_id"] == ASKED
        assert lines[event]["span_id"] == traced.one("take over answer").id
    assert "trace_id" not in lines["service_ready"]


async def test_the_service_says_which_of_its_processes_it_is(traced: Traced) -> None:
    services = [span.service for span in traced.collector.spans]
    assert {service["service.name"] for service in services} == {"colloquy"}
    assert {service["service.version"] for service in services} == {VERSION}
    assert len({span.process for span in traced.collector.spans}) == 2
