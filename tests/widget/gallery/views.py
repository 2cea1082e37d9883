"""The views of the chat, by name: each is what a person did to see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from playwright.async_api import expect

from tests.widget.gallery.chats import Chat, View
from tests.widget.gallery.content import ANSWER, FEES, LOANS, QUESTION, SESSIONS, TEXT


async def _bubble(chat: Chat) -> None:
    await chat.open("launcher")


async def _unread(chat: Chat) -> None:
    await chat.open("launcher")
    await chat.page.evaluate("document.querySelector('colloquy-chat').ask('?')")
    await chat.page.keyboard.press("Escape")
    await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")
    chat.service.say(state="SUCCEEDED", **ANSWER)
    await expect(chat.page.locator(".unread")).to_be_visible()


async def _dialog(chat: Chat) -> None:
    await chat.open("launcher")
    await chat.page.locator(".bubble").click()
    await expect(chat.page.locator(".welcome button")).to_have_count(3)


async def _dialog_answer(chat: Chat) -> None:
    await _dialog(chat)
    await chat.answered()


async def _welcome(chat: Chat) -> None:
    await chat.open()
    await expect(chat.page.locator(".welcome button")).to_have_count(3)


async def _searching(chat: Chat) -> None:
    await chat.open()
    await chat.ask()
    await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")


async def _streaming(chat: Chat) -> None:
    await _searching(chat)
    chat.service.say(answerText=TEXT[:170], references=[FEES, LOANS])
    await expect(chat.answer.locator(".text")).not_to_be_empty()


async def _rewriting(chat: Chat) -> None:
    await _streaming(chat)
    chat.service.say(reset=True, answerText="A book")
    await expect(chat.answer.locator(".before")).to_be_visible()


async def _answer(chat: Chat) -> None:
    await chat.open()
    await chat.answered()


async def _popover(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".cite").first.focus()
    await expect(chat.page.locator(".popover")).to_be_visible()


async def _source(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".cite").first.click()
    await expect(chat.page.locator("aside.source mark").first).to_be_visible()
    await chat.page.mouse.move(1, 1)
    await expect(chat.page.locator(".popover")).to_be_hidden()


async def _refusal(chat: Chat) -> None:
    await chat.open()
    reasons = ["NO_RELEVANT_CONTENT"]
    await chat.answered(answerSkippedReasons=reasons, references=[LOANS, FEES])


async def _failed(chat: Chat) -> None:
    await _searching(chat)
    chat.service.fail("RESOURCE_EXHAUSTED")
    await expect(chat.answer).to_have_attribute("data-state", "FAILED")


async def _refused_origin(chat: Chat) -> None:
    chat.service.refusal = 4403
    await chat.open()
    await expect(chat.page.locator(".connection button")).to_be_visible()


async def _offline(chat: Chat) -> None:
    await _answer(chat)
    await chat.page.context.set_offline(True)
    await expect(chat.page.locator(".connection")).to_have_attribute("data-state", "offline")


async def _queued(chat: Chat) -> None:
    await _streaming(chat)
    await chat.ask("Who may book a room?")
    await expect(chat.answer.locator(".help button")).to_be_visible()


async def _feedback(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".buttons [aria-pressed]").last.click()
    await chat.answer.locator(".chips button").first.click()


async def _edit(chat: Chat) -> None:
    await _answer(chat)
    await chat.page.locator(".asked button").click()
    await expect(chat.page.locator("form textarea")).to_have_value(QUESTION)


async def _sessions(chat: Chat) -> None:
    await chat.sign_in(SESSIONS)
    await expect(chat.page.locator(".sessions li")).to_have_count(len(SESSIONS))


async def _rename(chat: Chat) -> None:
    await _sessions(chat)
    await chat.page.get_by_role("listitem").last.locator(".buttons button").nth(1).click()
    await expect(chat.page.locator(".sessions input")).to_be_focused()


async def _no_sessions(chat: Chat) -> None:
    await chat.sign_in([])
    await expect(chat.page.locator("aside.source p")).not_to_be_empty()


VIEWS: Final[Mapping[str, View]] = {
    "bubble": _bubble,
    "unread": _unread,
    "dialog": _dialog,
    "dialog-answer": _dialog_answer,
    "welcome": _welcome,
    "searching": _searching,
    "streaming": _streaming,
    "rewriting": _rewriting,
    "answer": _answer,
    "popover": _popover,
    "source": _source,
    "refusal": _refusal,
    "failed": _failed,
    "refused-origin": _refused_origin,
    "offline": _offline,
    "queued": _queued,
    "feedback": _feedback,
    "edit": _edit,
    "sessions": _sessions,
    "rename": _rename,
    "no-sessions": _no_sessions,
}
