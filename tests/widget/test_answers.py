"""What people see of an answer: states, text, sources, refusals, and what can be done with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from playwright.async_api import Locator, Page, expect

from tests.waiting import eventually
from tests.widget.scripted_service import SESSION, STORE, ScriptedService, chat_page

pytestmark = pytest.mark.anyio
QUESTION: Final = "How long may I keep a book?"
CONFIG: Final = {
    "displayName": "the library",
    "starterQuestions": [QUESTION, "Who may book a room?"],
    "contact": {"text": "The desk helps from nine to five.", "uri": "mailto:desk@example.org"},
}
LOANS: Final = {
    "unstructuredDocumentInfo": {
        "document": f"{STORE}/branches/0/documents/loans",
        "uri": "https://library.example/loans",
        "title": "Loans",
        "chunkContents": [
            {"content": "Fees\n\nA late book costs one euro.", "pageIdentifier": "2"},
            {
                "content": "How long?\n\nA book is kept four weeks. A film is kept one week.",
                "pageIdentifier": "3",
            },
        ],
    }
}
ROOMS: Final = {"chunkInfo": {"content": "Members book.", "documentMetadata": {"title": "Rooms"}}}
CITED: Final[dict[str, Any]] = {
    "answerText": "A book is kept four weeks. Ask at the desk.\n\nRooms are free.",
    "references": [ROOMS, LOANS],
    "citations": [
        {"endIndex": "26", "sources": [{"referenceId": "1"}]},
        {"startIndex": "27", "endIndex": "43", "sources": [{"referenceId": "1"}]},
        {"startIndex": "45", "endIndex": "60", "sources": [{"referenceId": "0"}]},
    ],
    "groundingSupports": [
        {"endIndex": "43", "groundingScore": 0.9, "sources": [{"referenceId": "1"}]},
        {
            "startIndex": "45",
            "endIndex": "60",
            "groundingScore": 0.6,
            "sources": [{"referenceId": 0}],
        },
    ],
    "relatedQuestions": ["How do I return a book?"],
}


# Keeps what the element tells the page by events of one name.
HEAR: Final = """
(name) => {
    window.heard = [];
    const chat = document.querySelector("colloquy-chat");
    chat.addEventListener(name, ({ detail }) => heard.push(detail));
}
"""


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    async with chat_page() as made:
        yield made


@pytest.fixture
async def scripted(page: Page, address: str) -> ScriptedService:
    """A chat that is open, and the service that it speaks with."""
    made = ScriptedService({"default_search_widget_config": CONFIG, "userEvents:write": {}})
    await made.on(page)
    await page.goto(address)
    await expect(page.get_by_role("button", name=QUESTION)).to_be_visible()
    return made


async def ask(page: Page) -> Locator:
    """Ask, and return the answer's article once the service accepted the question."""
    field = page.get_by_label("Your question")
    await field.fill(QUESTION)
    await field.press("Enter")
    answer = page.get_by_role("article").last
    await expect(answer).to_have_attribute("data-state", "IN_PROGRESS")
    return answer


async def answered(page: Page, scripted: ScriptedService, **told: Any) -> Locator:
    answer = await ask(page)
    scripted.say(state="SUCCEEDED", **told)
    await expect(answer).to_have_attribute("data-state", "SUCCEEDED")
    return answer


async def test_states_are_words_of_people(page: Page, scripted: ScriptedService) -> None:
    answer = await ask(page)
    state = answer.locator(".state")
    await expect(state).to_have_text("Searching the library…")
    scripted.say(references=[ROOMS, LOANS])
    await expect(state).to_have_text("Reading 2 pages…")
    scripted.say(answerText="A book ")
    await expect(state).to_have_text("Writing the answer…")
    scripted.say(state="SUCCEEDED", **CITED)
    await expect(state).to_have_text("Here is what I found")


async def test_a_starter_question_is_asked_by_one_press(
    page: Page, scripted: ScriptedService
) -> None:
    await page.get_by_role("button", name="Who may book a room?").click()
    await expect(page.locator(".query")).to_have_text("Who may book a room?")
    await expect(page.locator(".welcome")).to_be_hidden()
    await eventually(lambda: bool(scripted.asked))
    assert scripted.asked[0]["request"]["query"] == {"text": "Who may book a room?"}


async def test_sources_are_numbered_as_the_text_cites_them(
    page: Page, scripted: ScriptedService
) -> None:
    """One number for each source of a block, however many sentences it proves."""
    answer = await answered(page, scripted, **CITED)
    await expect(answer.locator(".text p")).to_have_text(
        ["A book is kept four weeks. Ask at the desk.1", "Rooms are free.2"]
    )
    await expect(answer.locator(".sources li")).to_have_text(["Loans", "Rooms"])


async def test_the_panel_of_a_source_shows_where_it_says_that(
    page: Page, scripted: ScriptedService
) -> None:
    answer = await answered(page, scripted, **CITED)
    await page.evaluate(HEAR, "citation-open")
    mark = answer.get_by_role("button", name="Source 1: Loans")
    await mark.click()
    panel = page.get_by_role("complementary", name="Sources")
    await expect(panel.locator("mark")).to_have_text(["A book is kept four weeks."])
    await expect(panel.locator(".trail")).to_have_text("Loans › How long? · page 3")
    await expect(panel.locator(".support")).to_have_text("The source supports this.")
    await expect(panel.get_by_role("heading")).to_be_focused()
    (opened,) = await page.evaluate("heard")
    assert opened["uri"] == "https://library.example/loans"
    await page.mouse.move(1, 1)  # it would come to stand on the mark again
    await page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await expect(mark).to_be_focused()
    await expect(page.get_by_role("tooltip")).to_be_hidden()


async def test_a_panel_over_the_chat_keeps_the_keyboard(
    page: Page, scripted: ScriptedService
) -> None:
    answer = await answered(page, scripted, **CITED)
    await page.set_viewport_size({"width": 360, "height": 640})
    await answer.get_by_role("button", name="Source 2: Rooms").click()
    field = page.get_by_label("Your question")
    reached = "document.querySelector('colloquy-chat').shadowRoot.querySelector('form').inert"
    assert await page.evaluate(reached) is True
    await page.get_by_role("button", name="Close the source").click()
    await field.focus()
    await expect(field).to_be_focused()


REFUSALS: Final = {
    "OUT_OF_DOMAIN_QUERY_IGNORED": "I found no answer to that in the library",
    "NON_ANSWER_SEEKING_QUERY_IGNORED": "Ask me something about the library, and I will look it up",
    "ADVERSARIAL_QUERY_IGNORED": "I cannot help with that",
    "JAIL_BREAKING_QUERY_IGNORED": "I can only answer questions about the library",
    "CUSTOMER_POLICY_VIOLATION": "That is something that I may not answer here",
}


async def test_refusals_say_why_in_fitting_words(page: Page, scripted: ScriptedService) -> None:
    for reason, words in REFUSALS.items():
        told = {"answerText": "A summary could not be generated", "answerSkippedReasons": [reason]}
        answer = await answered(page, scripted, **told)
        await expect(answer.locator(".state")).to_have_text(words)
        await expect(answer.locator(".text")).to_be_empty()


async def test_a_refusal_leads_on(page: Page, scripted: ScriptedService) -> None:
    """To the nearest pages, to a person, and back to the question."""
    told = {"answerSkippedReasons": ["NO_RELEVANT_CONTENT"], "references": [LOANS, ROOMS]}
    answer = await answered(page, scripted, **told)
    await expect(answer.locator(".nearest li")).to_have_text(["Loans", "Rooms"])
    await expect(answer).to_contain_text("The desk helps from nine to five.")
    await page.evaluate(HEAR, "handover")
    await answer.get_by_role("link", name="Contact us").click()
    handed = {"query": QUESTION, "contact": "mailto:desk@example.org"}
    assert await page.evaluate("heard") == [handed]
    await answer.get_by_role("button", name="Edit the question").click()
    field = page.get_by_label("Your question")
    await expect(field).to_have_value(QUESTION)
    await expect(field).to_be_focused()


async def test_what_went_wrong_can_be_asked_again(page: Page, scripted: ScriptedService) -> None:
    answer = await ask(page)
    scripted.fail("RESOURCE_EXHAUSTED")
    await expect(answer.locator(".state")).to_have_text(
        "Too much is asked at the moment. Wait a little, and ask again."
    )
    await answer.get_by_role("button", name="Ask again").click()
    await expect(page.locator(".query")).to_have_text([QUESTION, QUESTION])


async def test_an_answer_is_copied_with_its_sources(page: Page, scripted: ScriptedService) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer = await answered(page, scripted, **CITED)
    button = answer.get_by_role("button", name="Copy the answer")
    await button.click()
    await expect(button).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == (
        "A book is kept four weeks. Ask at the desk. [1]\n\nRooms are free. [2]\n\n"
        "Sources:\n[1] Loans https://library.example/loans\n[2] Rooms"
    )


async def test_a_link_brings_the_question_and_does_not_ask_it(
    page: Page, scripted: ScriptedService, address: str
) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer = await answered(page, scripted, **CITED)
    await answer.get_by_role("button", name="Copy a link to this question").click()
    link = await page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}#colloquy-ask=")
    await page.evaluate("(link) => location.assign(link)", link)
    await expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    assert page.url == address
    assert len(scripted.asked) == 1


async def test_a_thumb_down_asks_what_was_wrong(page: Page, scripted: ScriptedService) -> None:
    answer = await answered(page, scripted, **CITED)
    down = answer.get_by_role("button", name="This did not help")
    await down.click()
    await expect(down).to_have_attribute("aria-pressed", "true")
    await answer.get_by_role("button", name="It is not correct").click()
    await answer.get_by_label("Tell us more").fill("Three weeks.")
    await answer.get_by_role("button", name="Send").click()
    await expect(answer).to_contain_text("Thank you for telling us.")
    first, second = (
        call["body"]["feedback"] for call in scripted.called if "userEvents" in call["path"]
    )
    about = {"session": SESSION, "questionIndex": 0}
    empty: dict[str, Any] = {
        "feedbackType": "DISLIKE",
        "reasons": [],
        "comment": "",
        "conversationInfo": about,
    }
    assert first == empty
    assert second == {**empty, "reasons": ["INACCURATE_RESPONSE"], "comment": "Three weeks."}


MARKDOWN: Final = """\
Keep **books that are new** for _two_ weeks, see [the loans](https://library.example/loans).

- Bring the `card` and
  - the **book**
- Leave ***both***

| Days | Fee |
| --- | --- |
| 1 | **2 €** |

```python
fee = "**2**"
```

# At the *end*
1. Ask & go.
"""
# Characters: as many as cut each sign of the text above somewhere.
PIECE: Final = 5
# Notes what is shown after each piece, and which nodes it stands in.
GROWN: Final = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const text = document.querySelector("colloquy-chat").shadowRoot.querySelector(".text");
    const kept = (window.kept ??= []);
    const moved = kept.filter((node, place) => text.children[place] !== node).length;
    kept.length = 0;
    kept.push(...[...text.children].slice(0, -1));
    const prose = text.cloneNode(true);
    for (const code of prose.querySelectorAll("pre")) code.remove();
    done([moved, prose.textContent]);
})))
"""


async def test_text_that_grows_is_calm(page: Page, scripted: ScriptedService) -> None:
    """Finished blocks keep their nodes, and no sign is shown that is taken away again."""
    await ask(page)
    shown: list[str] = []
    for at in range(0, len(MARKDOWN), PIECE):
        scripted.say(answerText=MARKDOWN[at : at + PIECE])
        moved, text = await page.evaluate(GROWN)
        assert moved == 0, MARKDOWN[: at + PIECE]
        shown.append(text)
    for sign in ("**", "_", "[", "](", "|", "`", "#", "---"):
        assert [text for text in shown if sign in text] == []
    html = await page.evaluate(
        "document.querySelector('colloquy-chat').shadowRoot.querySelector('.text').innerHTML"
    )
    for part in ("<strong>books that are new</strong>", "<li>Bring the ", "<td>1</td>", "<pre "):
        assert part in html


async def test_nothing_that_the_service_says_is_markup(
    page: Page, scripted: ScriptedService
) -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    link = "javascript:alert(1)"
    info = {"title": evil, "uri": link, "document": evil, "chunkContents": [{"content": evil}]}
    text = f"{evil}\n\n[run]({link}) ![see](https://evil.example/x.png) {evil}"
    end = len(text.encode())
    answer = await answered(
        page,
        scripted,
        answerText=text,
        references=[{"unstructuredDocumentInfo": info}],
        citations=[{"endIndex": str(end), "sources": [{"referenceId": "0"}]}],
        relatedQuestions=[evil],
    )
    await answer.locator(".cite").last.click()
    await expect(page.get_by_role("complementary")).to_contain_text(evil)
    tags = await page.evaluate(
        """[...document.querySelector("colloquy-chat").shadowRoot.querySelectorAll("*")]
            .filter((node) => /^(img|script|iframe|style)$/i.test(node.tagName)
                || /^javascript:/i.test(node.href ?? "")).length"""
    )
    assert tags == 0
