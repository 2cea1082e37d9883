"""A chat whose network, service or sign-in goes away says so, and loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from playwright.async_api import Locator, Page, expect

from sessions.listing.turn_windows import window
from tests.waiting import eventually
from tests.widget.scripted_service import SESSION, ScriptedService, chat_page

pytestmark = pytest.mark.anyio
QUESTION: Final = "How long may I keep a book?"
PATIENCE: Final = 6_000
"""Milliseconds after which the chat takes a silent service for lost."""


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    async with chat_page() as made:
        yield made


@pytest.fixture
async def scripted(page: Page, address: str) -> ScriptedService:
    """A chat that is open, whose clock the test turns on, and the service that it speaks with."""
    made = ScriptedService({"default_search_widget_config": {}})
    await made.on(page)
    await page.clock.install()
    await page.goto(address)
    await eventually(lambda: bool(made.called))
    return made


async def ask(page: Page, text: str = QUESTION) -> Locator:
    field = page.get_by_label("Your question")
    await field.fill(text)
    await field.press("Enter")
    return page.get_by_role("article").last


async def test_a_question_asked_offline_waits_and_is_sent_once(
    page: Page, scripted: ScriptedService
) -> None:
    await page.context.set_offline(True)
    await expect(page.get_by_role("status")).to_contain_text("You are offline")
    answer = await ask(page)
    await expect(answer.locator(".state")).to_contain_text("Will be sent")
    assert scripted.asked == []
    await page.context.set_offline(False)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(answer.locator(".text")).to_have_text("Four weeks.")
    assert [frame["request"]["query"]["text"] for frame in scripted.asked] == [QUESTION]


async def test_a_question_that_waits_for_the_network_is_taken_back(
    page: Page, scripted: ScriptedService
) -> None:
    await page.context.set_offline(True)
    await ask(page)
    await page.get_by_role("button", name="Take back").click()
    await expect(page.get_by_role("article")).to_have_count(0)
    await expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    await page.context.set_offline(False)
    await ask(page, "Who may book a room?")
    await expect(page.get_by_role("article")).to_have_attribute("data-state", "IN_PROGRESS")
    assert [frame["request"]["query"]["text"] for frame in scripted.asked] == [
        "Who may book a room?"
    ]


async def test_a_socket_that_is_dead_without_a_word_is_left(
    page: Page, scripted: ScriptedService
) -> None:
    """The question goes over the next one under the same id, so that it is the same question."""
    scripted.is_silent = True
    answer = await ask(page)
    await eventually(lambda: len(scripted.asked) == 1)
    await expect(answer.locator(".state")).to_have_text("Sending…")
    scripted.is_silent = False
    await page.clock.run_for(PATIENCE)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    first, second = scripted.asked
    assert (first["id"], first["client"]) == (second["id"], second["client"])
    assert await page.get_by_role("article").count() == 1


@pytest.mark.parametrize(
    "event",
    [
        "document.dispatchEvent(new Event('resume'))",
        "document.dispatchEvent(new Event('visibilitychange'))",
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
        "dispatchEvent(new Event('online'))",
    ],
    ids=["unfrozen", "shown", "back", "online"],
)
async def test_a_page_that_wakes_looks_whether_its_socket_stands(
    page: Page, scripted: ScriptedService, event: str
) -> None:
    answer = await ask(page)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(answerText="Four ")
    await expect(answer.locator(".text")).to_have_text("Four")
    scripted.is_silent = True
    await page.evaluate(event)
    scripted.is_silent = False
    await page.clock.run_for(PATIENCE)
    await eventually(lambda: scripted.connections == 2)
    name = scripted.name_of(scripted.asked[0]["id"])
    await eventually(
        lambda: any(
            frame["type"] == "resume" and frame["answer"] == name for frame in scripted.sent
        )
    )


async def test_a_second_question_waits_for_the_first_and_is_taken_back(
    page: Page, scripted: ScriptedService
) -> None:
    first = await ask(page)
    await expect(first).to_have_attribute("data-state", "IN_PROGRESS")
    second = await ask(page, "Who may book a room?")
    await expect(second.locator(".state")).to_have_text("Waits for the answer above")
    await second.get_by_role("button", name="Take back").click()
    name = scripted.name_of(scripted.asked[1]["id"])
    await eventually(lambda: {"type": "cancel", "answer": name} in scripted.sent)
    await expect(page.get_by_label("Your question")).to_have_value("Who may book a room?")
    third = await ask(page, "And a film?")
    scripted.say(to=1, state="FAILED")
    scripted.say(to=0, state="SUCCEEDED", answerText="Four weeks.")
    await expect(third.locator(".state")).to_have_text("Searching the help pages…")
    await expect(third.get_by_role("button", name="Take back")).to_have_count(0)
    assert scripted.asked[1]["request"]["session"] == SESSION


async def test_an_answer_that_is_begun_anew_is_rewritten_without_a_gap(
    page: Page, scripted: ScriptedService
) -> None:
    answer = await ask(page)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(answerText="A book is kept for four weeks.")
    text = answer.locator(".text")
    await expect(text).to_have_text("A book is kept for four weeks.")
    scripted.say(reset=True)
    await expect(answer.locator(".state")).to_have_text("Writing the answer anew…")
    await expect(text).to_have_text("A book is kept for four weeks.")
    scripted.say(answerText="You may keep a book for four weeks, and ")
    await expect(text).to_have_text("You may keep a book for four weeks, and")
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(text).to_have_text("Four weeks.")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4403, "This website (http://127.0.0.1:"),
        (4401, "Sign in again, then try again."),
        (4404, "does not let this page in (code 4404)"),
    ],
)
async def test_a_chat_that_is_not_let_in_says_what_to_do(
    page: Page, scripted: ScriptedService, code: int, said: str
) -> None:
    answer = await ask(page)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    await scripted.close(code)
    await expect(page.get_by_role("status")).to_contain_text(said)
    scripted.refusal = None
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".connection")).to_be_hidden()
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    assert scripted.sent[-1]["type"] == "resume"


async def test_a_token_that_ended_is_asked_for_again(page: Page, address: str) -> None:
    made = ScriptedService({"default_search_widget_config": {}})
    await made.on(page)
    await page.add_init_script(
        """
        window.tokens = 0;
        document.addEventListener("DOMContentLoaded", () => {
            const chat = document.querySelector("colloquy-chat");
            chat.tokenProvider = () => `token-${++tokens}`;
        });
        """
    )
    await page.goto(address)
    await eventually(lambda: bool(made.called))
    for number in (1, 2):
        await made.cut(code=4401)
        shown = {"type": "auth", "token": f"token-{number}"}
        await eventually(lambda shown=shown: shown in made.sent)
    await expect(page.locator(".connection")).to_be_hidden()


async def recalled(page: Page, scripted: ScriptedService, status: int) -> list[dict[str, Any]]:
    """Reload a chat whose session is answered with *status*; return what it calls."""
    answer = await ask(page)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(answer.locator(".text")).to_have_text("Four weeks.")
    scripted.bodies = {**scripted.bodies, "7": {"turns": []}}
    scripted.status = status
    scripted.called.clear()
    await page.reload()
    await eventually(lambda: any("/sessions/7" in each["path"] for each in scripted.called))
    return scripted.called


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_session_that_cannot_be_read_now_is_kept(
    page: Page, scripted: ScriptedService, status: int
) -> None:
    called = await recalled(page, scripted, status)
    scripted.status = 200
    called.clear()
    await page.clock.run_for(4_000)
    await eventually(lambda: any("/sessions/7" in each["path"] for each in called))
    await ask(page)
    await eventually(lambda: len(scripted.asked) == 2)
    assert scripted.asked[1]["request"]["session"] == SESSION


@pytest.mark.parametrize("status", [403, 404])
async def test_a_session_that_is_not_there_is_forgotten(
    page: Page, scripted: ScriptedService, status: int
) -> None:
    await recalled(page, scripted, status)
    await ask(page)
    await eventually(lambda: len(scripted.asked) == 2)
    assert scripted.asked[1]["request"]["session"].endswith("/sessions/-")


async def test_a_chat_that_was_away_shows_all_that_was_asked_elsewhere(
    page: Page, scripted: ScriptedService
) -> None:
    answer = await ask(page)
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(answer.locator(".text")).to_have_text("Four weeks.")
    own = {"query": {"text": QUESTION}, "answer": scripted.name_of(scripted.asked[0]["id"])}
    turns = (
        own,
        *({"query": {"text": f"Q{n}"}, "answer": f"{SESSION}/answers/x{n}"} for n in range(30)),
    )

    def read(parameters: dict[str, str]) -> Any:
        offset, limit = int(parameters["turnOffset"]), int(parameters["turnLimit"])
        return {"turns": window(turns, offset, limit)}

    scripted.bodies = {"7": read}
    await scripted.cut(code=1012)
    await page.clock.run_for(2_000)
    await expect(page.locator(".query")).to_have_text([QUESTION, *(f"Q{n}" for n in range(30))])
