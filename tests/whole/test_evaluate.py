"""An operator measures a running service with questions and data of their own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
PARKING = "Visitors park in hall B. Parking costs two euros an hour. Hall B closes at nine."
QUESTIONS = """question,document,text,refuse,conversation
What does parking cost?,parking.md,two euros an hour,,visit
And where do they park?,parking.md,hall B,,visit
Who won the football world cup?,,,yes,
What does parking cost?,trams.md,,,
<b>Where</b> do visitors park?,,hall B,,
"""


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with services(tmp_path / "data") as (one,):
        (tmp_path / "town").mkdir()
        (tmp_path / "town/parking.md").write_text(f"# Parking\n\n{PARKING}\n")
        await one.given("import", str(tmp_path / "town"), "--data-store", "town")
        async with one.in_a_thread():
            yield one


async def test_questions_become_a_report_and_conversations_a_table(
    service: Service, tmp_path: Path
) -> None:
    await questions_become_a_report(service, tmp_path)
    await conversations_become_a_table(service, tmp_path)


async def questions_become_a_report(service: Service, tmp_path: Path) -> None:
    asked, shown = tmp_path / "questions.csv", tmp_path / "report.html"
    asked.write_text(QUESTIONS)
    status, said = await service.command(
        "evaluate", "--questions", str(asked), "--data-store", "town", "--report", str(shown)
    )
    assert status == 1
    assert "wrong: line 5: What does parking cost?" in said
    assert "cites Parking instead of trams.md" in said
    told = shown.read_text("utf-8")
    assert "4 of 5 questions" in told
    assert "&lt;b&gt;Where&lt;/b&gt;" in told


async def conversations_become_a_table(service: Service, tmp_path: Path) -> None:
    data = tmp_path / "labelled"
    for folder in ("corpora", "turns"):
        (data / folder).mkdir(parents=True)
    document = {"doc_id": "p/1", "title": "Parking", "text": PARKING}
    (data / "corpora/town.jsonl").write_text(json.dumps(document))
    turn = {
        "portal": "town",
        "conversation": "c",
        "query": "What does parking cost?",
        "gold": [{"doc_id": "p/1"}],
        "answer": "Two euros an hour.",
    }
    (data / "turns/talk.jsonl").write_text(json.dumps(turn))
    status, said = await service.command(
        "evaluate", str(data), "--markdown", str(tmp_path / "t.md")
    )
    assert status == 0, said
    assert "R@5" in said
    assert "| talk | R@5 | 1.000 | 1.000 to 1.000 | 1 |" in (tmp_path / "t.md").read_text()
    stores = f"{service.rest}/v1/projects/colloquy/locations/global/dataStores"
    async with aiohttp.ClientSession() as client:
        async with client.get(stores) as reply:
            left = [one["name"].rpartition("/")[2] for one in (await reply.json())["dataStores"]]
        async with client.get(f"{stores}/town/sessions") as reply:
            assert (await reply.json()).get("sessions", []) == []
    assert not [name for name in left if name.startswith("evaluation-")]
