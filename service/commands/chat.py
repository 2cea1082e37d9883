"""Ask a running service from the terminal, and watch the answer arrive with its proof."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import ssl
import sys
from collections.abc import AsyncGenerator, Generator
from typing import Final

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from service import terminal
from service.commands import caller_keys, short_names
from service.settings import Settings
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import ServiceError, Unavailable
from sessions.resources import answer_query, answers
from sessions.resources.sessions import Query
from streaming.client.client import Client
from streaming.protocol.frames import SUBPROTOCOL, Element

_PATIENCE: Final = 10.0
"""Seconds without a connection after which a question fails: a restart takes less."""
_LOOK: Final = 2.0
"""Seconds within which a service answers that is there."""
_OF_SERVICE: Final = (401, 403, 429, 502, 503, 504)
"""What the service, or a proxy before it, says to a handshake; the client tells what is wrong."""
_ENDED: Final = (answers.State.SUCCEEDED, answers.State.FAILED)


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Ask one question, or line by line until the end of the input; 1 where an answer failed."""
    parent = short_names.data_store(arguments.data_store)
    session = short_names.session(arguments.session, parent) if arguments.session else ""
    url = arguments.url or f"ws://{settings.local_address}/v1/ws"
    failed = False
    key = caller_keys.key(arguments, settings)
    await _look_for(url)
    async with Client(url, key or None, patience=_PATIENCE) as client:
        chat = _Chat(client, parent, session, quiet=arguments.quiet)
        if arguments.question:
            return 0 if await chat.ask(arguments.question) else 1
        terminal.say("Ask a question; an empty line or Ctrl-D leaves, Ctrl-C stops an answer.")
        keyboard = ThreadPool("terminal", 1)
        while question := (await _line(keyboard)).strip():
            failed = not await chat.ask(question) or failed
    return 1 if failed else 0


async def _look_for(url: str) -> None:
    """Return where something answers at *url*; a client would try for as long as a restart takes.

    Raises:
        Unavailable: nothing does, and what to do.
    """
    try:
        async with connect(
            url, subprotocols=[Subprotocol(SUBPROTOCOL)], open_timeout=_LOOK, close_timeout=0
        ):
            return
    except (InvalidMessage, InvalidStatus) as exc:
        status = exc.response.status_code if isinstance(exc, InvalidStatus) else 0
        if status in _OF_SERVICE:
            return
        what = f" (HTTP status {status})" if status else ""
        raise Unavailable(
            f"what answers at {url} is no Colloquy{what}; give its address in --url",
            reason="NO_CONNECTION",
        ) from exc
    except (InvalidHandshake, ssl.SSLError):
        return  # it is there, and the client tells what is wrong
    except TimeoutError as exc:
        raise Unavailable(
            f"{url} does not answer within {_LOOK:g} seconds; see what the log of the service says",
            reason="NO_CONNECTION",
        ) from exc
    except (OSError, EOFError) as exc:
        raise Unavailable(
            f"nothing answers at {url}; start the service with `colloquy serve`, or give its "
            "address in --url",
            reason="NO_CONNECTION",
        ) from exc


async def _line(keyboard: ThreadPool) -> str:
    """Read a line; "" at the end of the input. Ctrl-C at a terminal ends the command meanwhile."""
    if sys.stdin.isatty():
        return await _typed()
    try:
        return await keyboard.run(input)
    except EOFError:
        return ""


async def _typed() -> str:
    """Read a line that is typed; a thread that waits for one could not be told to give up."""
    terminal.write("\n> ")
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[None] = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: typed.done() or typed.set_result(None))
    try:
        await typed
        return sys.stdin.readline()  # a terminal gives whole lines
    finally:
        loop.remove_reader(sys.stdin.fileno())


class _Chat:
    """One session at the terminal."""

    def __init__(self, client: Client, parent: str, session: str, *, quiet: bool) -> None:
        self._client = client
        self._parent = parent
        self._session = session
        self._quiet = quiet

    async def ask(self, question: str) -> bool:
        """Show the answer to *question* as it comes; return whether it succeeded."""
        elements = self._client.ask(
            question,
            serving_config=f"{self._parent}/servingConfigs/default_config",
            request=_request(question, self._session or names.session(self._parent, "-")),
        )
        screen = _Screen(quiet=self._quiet)
        try:
            async with asyncio.timeout(None) as patience:
                with self._stoppable(screen, patience):
                    return await self._show(elements, screen)
        except ServiceError as exc:
            screen.note(caller_keys.told(exc), always=True)
        except TimeoutError:
            screen.note("not waited for any more", always=True)
        return False

    async def _show(self, elements: AsyncGenerator[Element], screen: _Screen) -> bool:
        state = answers.State.STATE_UNSPECIFIED
        async with contextlib.aclosing(elements) as told:
            async for element in told:
                answer = element.response.answer
                if answer is None:
                    continue
                self._session = names.parent(answer.name)
                state = answer.state
                screen.show(element, answer)
        return state is answers.State.SUCCEEDED

    @contextlib.contextmanager
    def _stoppable(self, screen: _Screen, patience: asyncio.Timeout) -> Generator[None]:
        """Let Ctrl-C stop the answer instead of the program.

        Nobody waits for what is not begun yet, or does not end when it is told to: the first
        Ctrl-C, or the second, gives it up.
        """
        loop = asyncio.get_running_loop()
        stopping: list[asyncio.Task[None]] = []

        def stop() -> None:
            if screen.answer and not stopping:
                # Kept until the answer has ended: nobody else refers to the task.
                stopping.append(loop.create_task(self._cancel(screen.answer)))
            else:
                patience.reschedule(loop.time())

        loop.add_signal_handler(signal.SIGINT, stop)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    async def _cancel(self, answer: str) -> None:
        with contextlib.suppress(ServiceError):  # it has ended, or the service is away
            await self._client.cancel(answer)


class _Screen:
    """What one answer looks like while it comes."""

    def __init__(self, *, quiet: bool) -> None:
        self.answer = ""
        self._quiet = quiet
        self._state = answers.State.STATE_UNSPECIFIED
        self._steps = 0
        self._written = 0
        """Bytes of the text on the screen."""
        self._held = b""
        """The text behind these, until the next comes: its citations may follow it."""
        self._marked = 0
        """The byte behind which the last citation on the screen stands."""
        self._markers: dict[int, str] = {}
        """The citations that are not on the screen, by the byte behind which they stand."""
        self._midline = False
        self._lines = terminal.Wrapping()

    def show(self, element: Element, answer: answers.Answer) -> None:
        """Show what *element* adds."""
        self.answer = answer.name
        if element.reset:
            self.note("the answer is written anew", always=True)
            self._written = self._marked = 0
            self._markers.clear()
            self._lines = terminal.Wrapping()
        ended = answer.state in _ENDED
        if ended:  # with the whole text, some of which may never have been told
            self._held = answer.answer_text.encode()[self._written :] or self._held
            self._mark(answer)
        if answer.state is not self._state:
            self._state = answer.state
            self.note(answer.state.name)
        if ended:
            self._end(element, answer)
            return
        self._show_steps(answer)
        if answer.answer_text:
            self._write_held()
            self._held = answer.answer_text.encode()
        self._mark(answer)

    def note(self, text: str, *, always: bool = False) -> None:
        """Say something about the answer, on a line of its own."""
        if always or not self._quiet:
            self._newline()
            terminal.note(text)

    def _show_steps(self, answer: answers.Answer) -> None:
        done = [step for step in answer.steps if step.state is answers.StepState.SUCCEEDED]
        for step in done[self._steps :]:
            asked = [a.search_action.query for a in step.actions if a.search_action]
            found = sum(
                len(action.observation.search_results)
                for action in step.actions
                if action.observation
            )
            self.note(f"{step.description} {' '.join(asked)!r}: {found} found")
        self._steps = max(self._steps, len(done))

    def _mark(self, answer: answers.Answer) -> None:
        self._markers |= {
            end: _marker(citation)
            for citation in answer.citations
            if (end := int(citation.end_index)) > self._marked
        }

    def _write_held(self) -> None:
        """Write the text that is held back, with the citations in it and at its ends."""
        begin, end = self._written, self._written + len(self._held)
        for at in sorted(self._markers):
            if begin <= at <= end:
                self._write(self._held[self._written - begin : at - begin].decode())
                self._write(self._markers.pop(at))
                self._written = self._marked = at
        self._write(self._held[self._written - begin :].decode())
        self._written, self._held = end, b""

    def _write(self, text: str) -> None:
        if text:
            self._lines.write(text)
            self._midline = not text.endswith("\n")

    def _newline(self) -> None:
        self._write_held()
        self._lines.end()
        if self._midline:
            terminal.say()
            self._midline = False

    def _end(self, element: Element, answer: answers.Answer) -> None:
        """Show what the end adds to the text: why there is none, the sources, the score."""
        self._newline()
        if answer.answer_skipped_reasons:
            self.note(", ".join(r.name for r in answer.answer_skipped_reasons), always=True)
        if element.error is not None:
            self.note(element.error.message, always=True)
        cited = dict.fromkeys(int(s.reference_id) for c in answer.citations for s in c.sources)
        for number in sorted(cited):
            title, uri = _source(answer.references[number])
            terminal.say(f"[{number + 1}] {title}{f' <{uri}>' if uri else ''}")
        for question in answer.related_questions:
            self.note(f"related: {question}")
        if answer.grounding_score is not None:
            self.note(f"grounding {answer.grounding_score:.2f}")


def _request(question: str, session: str) -> answer_query.AnswerQueryRequest:
    return answer_query.AnswerQueryRequest(
        query=Query(text=question),
        session=session,
        answer_generation_spec=answer_query.AnswerGenerationSpec(
            include_citations=True,
            ignore_adversarial_query=True,
            ignore_jail_breaking_query=True,
        ),
        grounding_spec=answer_query.GroundingSpec(include_grounding_supports=True),
        related_questions_spec=answer_query.RelatedQuestionsSpec(enable=True),
    )


def _marker(citation: answers.Citation) -> str:
    return f" [{', '.join(str(int(source.reference_id) + 1) for source in citation.sources)}]"


def _source(reference: answers.Reference) -> tuple[str, str]:
    info = reference.unstructured_document_info or reference.structured_document_info
    if info is None and reference.chunk_info is not None:
        info = reference.chunk_info.document_metadata
    return (info.title, info.uri) if info else ("", "")
