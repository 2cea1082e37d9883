"""The page of the API: every method and frame can be found, linked to, read in full and tried."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.widget.conftest import Embedded

pytestmark = pytest.mark.anyio


async def test_a_link_opens_a_method_with_the_types_within_its_messages(
    page: Page, embedded: Embedded
) -> None:
    await page.goto(f"{embedded.service.rest}/docs#AnswerQuery")
    method = page.locator("#AnswerQuery")
    await expect(method).to_have_attribute("open", "")
    await method.get_by_text("AnswerGenerationSpec:").first.click()
    await expect(
        method.get_by_text("Whether the text comes with its citations.").first
    ).to_be_visible()
    await expect(method.get_by_label("A request")).to_contain_text('"includeCitations": true')


async def test_a_method_is_found_by_a_field_and_a_frame_by_its_name(
    page: Page, embedded: Embedded
) -> None:
    await page.goto(f"{embedded.service.rest}/docs")
    await page.get_by_label("Find").fill("answerGenerationSpec streamAnswer")
    await expect(page.locator(".entry:visible").first).to_contain_text("streamAnswer")
    await page.get_by_label("Find").fill("frame goaway")
    await expect(page.locator(".entry:visible")).to_have_count(1)
    await page.locator("#frame-goaway summary").first.press("Enter")
    await expect(page.locator("#frame-goaway")).to_contain_text("retryAfter")


async def test_a_method_is_tried_with_the_key_of_the_page(page: Page, embedded: Embedded) -> None:
    await page.goto(f"{embedded.service.rest}/docs#ListDocuments")
    await page.get_by_label("API key or token").fill("of-nobody")
    form = page.locator("#ListDocuments form")
    async with page.expect_request(lambda sent: "/documents" in sent.url) as sending:
        await form.get_by_role("button", name="Send GET").click()
    assert (await sending.value).headers["authorization"] == "Bearer of-nobody"
    await expect(form.get_by_role("status")).to_contain_text("loans.md")
    assert await page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
