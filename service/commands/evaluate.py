"""Measure how good the answers of a running service are, and say where they are worst."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from pathlib import Path
from typing import Final

import aiohttp

from service import terminal
from service.commands import caller_keys, short_names
from service.evaluation import (
    labelled_data,
    question_lists,
    report,
    runs,
    tables,
    turn_metrics,
)
from service.evaluation.labelled_data import BadData
from service.evaluation.question_lists import BadQuestionList
from service.evaluation.report import Run
from service.evaluation.rest_client import RestClient
from service.evaluation.turn_metrics import ScoredTurn
from service.evaluation.verdicts import Judged, Verdict
from service.settings import Settings

_WORST: Final = 12
_SHOWN: Final = 160
"""Characters of a question or an answer on the terminal."""


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Ask what ``arguments`` name; 0 where all went as expected, 1 where something did not.

    Labelled data has no such expectation: 1 tells that a query failed.
    """
    url = arguments.url or f"http://{settings.local_address}"
    if bool(arguments.data) == bool(arguments.questions):
        terminal.say("colloquy: give either a folder of data or --questions", to=sys.stderr)
        return 2
    key = caller_keys.key(arguments, settings)
    # In the one header that aiohttp takes off where another host redirects it to itself.
    shown = {"Authorization": f"Bearer {key}"} if key else {}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers=shown) as http:
        client = RestClient(http, url)
        try:
            await client.look()
            if arguments.questions:
                return await _ask_questions(client, url, arguments)
            return await _ask_turns(client, arguments)
        except BrokenPipeError:  # whoever read has enough, which is no fault of the files
            raise
        except (BadData, BadQuestionList, OSError) as exc:
            terminal.say(f"colloquy: {exc}", to=sys.stderr)
            return 2


async def _ask_questions(client: RestClient, url: str, arguments: argparse.Namespace) -> int:
    questions = question_lists.read(arguments.questions)
    _check_writable(arguments.report)
    parent = short_names.parent(arguments.data_store, arguments.engine)
    shown = _Progress(len(questions))
    judged = await runs.ask_questions(client, parent, questions, arguments.parallel, shown.tick)
    shown.end()
    faults = [one for one in judged if not (one.verdict.good or one.verdict is Verdict.UNJUDGED)]
    for one in faults:
        _show_fault(one)
    for line in tables.of_verdicts(judged):
        terminal.say(line)
    if arguments.report:
        made = Run(
            name=arguments.questions.name,
            asked=arguments.engine or arguments.data_store,
            url=url,
            at=dt.datetime.now(dt.UTC),
        )
        arguments.report.write_text(report.page(made, judged), "utf-8")
        terminal.say(f"report: {arguments.report}")
    return 1 if faults else 0


def _check_writable(file: Path | None) -> None:
    """Find out before anything is asked, which may take long, that a file cannot be written."""
    if file is not None:
        file.touch()


def _show_fault(one: Judged) -> None:
    terminal.say(f"{one.verdict.value}: line {one.question.line}: {_short(one.question.ask)}")
    for reason in one.reasons:
        terminal.note(reason)


async def _ask_turns(client: RestClient, arguments: argparse.Namespace) -> int:
    _check_writable(arguments.markdown)
    asked: list[ScoredTurn] = []
    for collection in labelled_data.read(arguments.data, arguments.every):
        turns = sum(map(len, collection.conversations))
        terminal.note(f"{collection.name}: {len(collection.documents)} documents, {turns} turns")
        shown = _Progress(turns)
        asked += await runs.ask_turns(client, collection, arguments.parallel, shown.tick)
        shown.end()
    figures = turn_metrics.figures(asked)
    for line in tables.of_figures(figures):
        terminal.say(line)
    median, slow = turn_metrics.seconds(asked)
    terminal.say(
        f"{len(asked)} turns; a reply took {1000 * median:.0f} ms in the median, "
        f"{1000 * slow:.0f} ms in the 95th percentile"
    )
    terminal.say("worst cases")
    for one, why in turn_metrics.worst(asked, _WORST):
        terminal.say(f"  {one.turn.set} {one.turn.qid}: {_short(one.turn.query)}")
        terminal.note(f"  {why}")
        if not one.reply.refused:
            terminal.note(f"  {_short(one.reply.text)}")
    if arguments.markdown:
        lines = tables.of_figures_in_markdown(figures)
        arguments.markdown.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return 1 if any(one.reply.error for one in asked) else 0


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[:_SHOWN].rpartition(" ")[0] + " …"


class _Progress:
    """Counts on a terminal, and is silent elsewhere."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0
        self._shows = sys.stderr.isatty()

    def tick(self) -> None:
        """Count one more."""
        self._done += 1
        if self._shows:
            terminal.replace(f"{self._done} of {self._count} asked")

    def end(self) -> None:
        """Leave the line."""
        if self._shows:
            terminal.say(to=sys.stderr)
