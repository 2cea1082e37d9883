"""A long conversation comes by parts, and who reads further up is left there."""

from __future__ import annotations

import functools
import io
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import pypdf
import pytest
from playwright.async_api import Page, expect

from sessions.listing.turn_windows import window
from tests.waiting import eventually
from tests.widget.scripted_service import SESSION, ScriptedService, chat_page

pytestmark = pytest.mark.anyio
COUNT: Final = 1_000
READ: Final = 400
"""Turns that are read to see which are drawn; each time a few come, all are laid out anew."""
TURNS: Final = tuple(
    {
        "query": {"text": f"Question {number}"},
        "answer": f"{SESSION}/answers/a{number}",
        "detailedAnswer": {
            "name": f"{SESSION}/answers/a{number}",
            "state": "SUCCEEDED",
            "answerText": f"Answer {number}.\n\n- One point of it.\n- Another **point**.\n\n"
            + "A paragraph that is long enough to go over several lines of the chat. " * 4,
        },
    }
    for number in range(COUNT)
)
ADDED: Final = {"query": {"text": "And now?"}, "answer": f"{SESSION}/answers/1"}
# Keeps the session of a chat that was open before.
BEFORE: Final = """
localStorage.setItem(
    `colloquy:${location.origin.replace("http", "ws")}/v1/ws:%s:`, "%s");
"""
SHOWN: Final = """
() => [...document.querySelector("colloquy-chat").shadowRoot.querySelectorAll(".turns article")]
    .filter((each) => each.checkVisibility({ contentVisibilityAuto: true })).length
"""


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    async with chat_page() as made:
        yield made


def read(parameters: Mapping[str, str], turns: tuple[Any, ...] = TURNS) -> Any:
    """Return the session with those of its *turns* that a request asks for, as the service does."""
    offset, limit = int(parameters["turnOffset"]), int(parameters["turnLimit"])
    return {"name": SESSION, "turns": window(turns, offset, limit)}


@pytest.fixture
async def scripted(page: Page, address: str) -> ScriptedService:
    """A chat that shows the end of a session of 1,000 turns."""
    made = ScriptedService({"7": read})
    await made.on(page)
    store = SESSION.partition("/sessions/")[0]
    await page.add_init_script(BEFORE % (store, SESSION))
    await page.goto(address)
    await expect(page.get_by_text(f"Question {COUNT - 1}", exact=True)).to_be_in_viewport()
    return made


async def scrolled(page: Page, by: int) -> None:
    await page.locator(".scroll").hover()
    await page.mouse.wheel(0, by)


async def test_a_long_session_comes_as_it_is_read(page: Page, scripted: ScriptedService) -> None:
    questions = page.locator(".query")
    await expect(questions).to_have_count(20)
    await expect(questions.first).to_have_text("Question 980")
    # A mouse has to scroll to it, which reads as many turns as pass by.
    await page.get_by_role("button", name="Show earlier questions").evaluate("each => each.click()")
    await expect(questions).to_have_count(40)
    await expect(questions.first).to_have_text("Question 960")
    assert len([each for each in scripted.called if "/sessions/" in each["path"]]) == 2


async def test_a_question_that_was_taken_back_hides_no_earlier_one(
    page: Page, scripted: ScriptedService
) -> None:
    """It is no turn of the session, from whose end those that come are counted."""
    field = page.get_by_label("Your question")
    for text in ("And now?", "And then?"):
        await field.fill(text)
        await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Take back").click()
    await eventually(lambda: any(each["type"] == "cancel" for each in scripted.sent))
    scripted.say(state="FAILED", error={"details": [{"reason": "CANCELLED"}]})
    scripted.say(to=0, state="SUCCEEDED", answerText="Four weeks.")
    await expect(page.get_by_role("article").last).to_have_attribute("data-state", "FAILED")
    scripted.bodies = {"7": functools.partial(read, turns=(*TURNS, ADDED))}
    await page.get_by_role("button", name="Show earlier questions").evaluate("each => each.click()")
    await expect(page.locator(".query").first).to_have_text("Question 960")
    numbers = await page.locator(".query").all_text_contents()
    assert numbers[:40] == [f"Question {number}" for number in range(960, COUNT)]


async def test_what_comes_above_does_not_move_what_is_read(
    page: Page, scripted: ScriptedService
) -> None:
    assert scripted.called
    questions = page.locator(".query")
    first = page.get_by_text("Question 980", exact=True)
    await first.scroll_into_view_if_needed()
    await expect(questions).to_have_count(40)
    await expect(first).to_be_in_viewport()


async def test_the_end_of_all_turns_is_the_beginning_of_the_session(
    page: Page, address: str
) -> None:
    made = ScriptedService({"7": {"turns": TURNS[-5:]}})
    await made.on(page)
    await page.add_init_script(BEFORE % (SESSION.partition("/sessions/")[0], SESSION))
    await page.goto(address)
    await expect(page.locator(".query")).to_have_count(5)
    await expect(page.get_by_role("button", name="Show earlier questions")).to_be_hidden()


async def test_hundreds_of_turns_are_drawn_where_they_are_seen(
    page: Page, scripted: ScriptedService
) -> None:
    earlier = page.get_by_role("button", name="Show earlier questions")
    while await page.locator(".query").count() < READ:
        before = await page.locator(".query").count()
        await earlier.evaluate("button => button.click()")
        await expect(page.locator(".query").nth(before)).to_be_attached()
    assert await page.evaluate(SHOWN) < READ / 20
    await page.get_by_label("Your question").fill("And now?")
    await page.keyboard.press("Enter")
    await eventually(lambda: bool(scripted.asked))
    scripted.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(page.get_by_role("article").last.get_by_text("Four weeks.")).to_be_in_viewport()
    assert await page.evaluate(SHOWN) < READ / 20


async def test_who_reads_further_up_is_not_pulled_down(
    page: Page, scripted: ScriptedService
) -> None:
    await page.get_by_label("Your question").fill("And now?")
    await page.keyboard.press("Enter")
    answer = page.get_by_role("article").last
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    scripted.say(answerText="It begins. ")
    await expect(answer).to_be_in_viewport()
    below = page.get_by_role("button", name="New text below")
    await expect(below).to_be_hidden()
    await scrolled(page, -600)
    await expect(answer).not_to_be_in_viewport()
    scripted.say(answerText="\n\nIt goes on.\n\n" * 30)
    await expect(answer).to_contain_text("It goes on.")
    await expect(below).to_be_visible()
    await expect(answer).not_to_be_in_viewport()
    await below.click()
    await expect(answer).to_be_in_viewport()
    await expect(below).to_be_hidden()
    scripted.say(state="SUCCEEDED", answerText="It goes on.\n\n" * 40 + "It ends.")
    await expect(
        page.get_by_role("article").last.get_by_text("It ends.", exact=True)
    ).to_be_in_viewport()


async def test_all_turns_that_are_here_are_printed(page: Page, scripted: ScriptedService) -> None:
    """Also those that the window does not show, which are not drawn there."""
    questions = page.locator(".query")
    for count in (40, 60):
        earlier = page.get_by_role("button", name="Show earlier questions")
        await earlier.evaluate("button => button.click()")
        await expect(questions).to_have_count(count)
    assert scripted.called
    printed = " ".join(
        each.extract_text() for each in pypdf.PdfReader(io.BytesIO(await page.pdf())).pages
    )
    for number in range(COUNT - 60, COUNT):
        assert f"Question {number}" in printed
        assert f"Answer {number}." in printed
    assert "Show earlier questions" not in printed


async def test_feedback_on_a_long_session_names_the_turn_that_it_is_about(
    page: Page, scripted: ScriptedService
) -> None:
    scripted.bodies = {"7": {"turns": TURNS}, "userEvents:write": {}}
    await page.get_by_role("article").last.get_by_role("button", name="This helped").click()
    await expect(
        page.get_by_role("article").last.get_by_text("Thank you for telling us.")
    ).to_be_visible()
    told = scripted.called[-1]["body"]["feedback"]["conversationInfo"]
    assert told == {"session": SESSION, "questionIndex": COUNT - 1}
