"""The report says all that is to be known, and is harmless whatever it tells of."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest

from service.evaluation import report, verdicts
from service.evaluation.question_lists import Question
from service.evaluation.report import Run
from service.evaluation.rest_client import QueryReply
from tests.evaluation.replies import refused, said, source

RUN = Run(
    name="questions.csv",
    asked="guide",
    url="http://127.0.0.1:8080",
    at=dt.datetime(2026, 3, 4, 5, 6, tzinfo=dt.UTC),
)
EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


def page(*pairs: tuple[Question, QueryReply]) -> str:
    return report.page(RUN, [verdicts.judge(question, reply) for question, reply in pairs])


def test_it_says_how_many_were_as_expected_and_shows_each_with_its_reason() -> None:
    shown = page(
        (Question(ask="Price?", line=2, texts=("2 euros",), kind="price"), said("3 euros")),
        (Question(ask="Moon?", line=3, refuse=True, kind="foreign"), refused()),
        (Question(ask="Hello", line=4), said("Hello!")),
    )
    assert "<strong>50 %</strong>" in shown
    assert "1 of 2 questions" in shown
    for told in ("does not say “2 euros”", "Wrong (1)", "Rightly refused (1)", "Not judged (1)"):
        assert told in shown
    assert shown.index("Price?") < shown.index("Hello") < shown.index("Moon?")
    assert "4 March 2026, 05:06 UTC" in shown


@pytest.mark.parametrize("place", ["question", "answer", "title", "uri", "kind", "text", "reason"])
def test_markup_of_others_is_text(place: str) -> None:
    def given(name: str) -> str:
        return EVIL if place == name else "word"

    question = Question(
        ask=given("question"), line=2, texts=(given("text"),), kind=given("kind"), documents=("x",)
    )
    uri = f"https://x.example/{EVIL}" if place == "uri" else ""
    cited = source("a", title=given("title"), uri=uri)
    reply = QueryReply(error=EVIL) if place == "reason" else said(given("answer"), cited)
    shown = page((question, reply), (Question(ask="b", line=3, kind="k", refuse=True), refused()))
    assert html.escape(EVIL) in shown
    assert "<script" not in shown
    assert "<img" not in shown


def test_only_links_to_the_web_are_links() -> None:
    shown = page(
        (
            Question(ask="Price?", line=2, texts=("a",)),
            said(
                "a",
                source("a", title="Bad", uri="javascript:alert(1)"),
                source("b", title="Good", uri="https://trams.example/?a=1&b=2"),
            ),
        )
    )
    assert re.findall(r'<a href="([^"]*)"', shown) == ["https://trams.example/?a=1&amp;b=2"]


def test_it_loads_nothing() -> None:
    shown = page((Question(ask="Price?", line=2, texts=("a",)), said("a", source("a"))))
    assert "default-src &#x27;none&#x27;" in shown or "default-src 'none'" in shown
    assert not re.search(r"<(?:script|link|img|iframe)|@import|url\(", shown)
