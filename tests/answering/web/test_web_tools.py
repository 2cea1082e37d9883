"""What of the web a request wants, and which addresses its contents name."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.answering.web import web_tools
from service.answering.web.web_tools import OfferedWeb, WebSearch, WebTools
from service.generation.generator import PastTurn
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, ServiceError, Unimplemented
from sessions.resources.tools import Tool
from tests import costs

ALL = OfferedWeb(pages=True, search=True)


def read(*given: dict[str, Any], offered: OfferedWeb = ALL) -> WebTools | None:
    tools = [json_codec.decode(Tool, msgspec.json.encode(one)) for one in given]
    return web_tools.read(tools, offered)


def dynamic(**config: Any) -> dict[str, Any]:
    return {"googleSearchRetrieval": {"dynamicRetrievalConfig": config}}


@pytest.mark.parametrize(
    ("tool", "search"),
    [
        ({"googleSearch": {}}, WebSearch()),
        ({"googleSearch": {"excludeDomains": ["a.org"]}}, WebSearch(without=("a.org",))),
        ({"googleSearchRetrieval": {}}, WebSearch()),
        (dynamic(), WebSearch()),
        (dynamic(dynamicThreshold=0.9), WebSearch()),
        (dynamic(mode="MODE_DYNAMIC"), WebSearch(threshold=0.3)),
        (dynamic(mode="MODE_DYNAMIC", dynamicThreshold=0), WebSearch(threshold=0.0)),
    ],
)
def test_a_search_is_read_in_both_forms(tool: dict[str, Any], search: WebSearch) -> None:
    assert read(tool) == WebTools(search=search)
    assert read(tool, {"urlContext": {}}) == WebTools(search=search, reads_urls=True)


def test_nothing_of_the_web_is_wanted_without_its_tools() -> None:
    assert read() is None
    assert read({}, offered=OfferedWeb()) is None


@pytest.mark.parametrize(
    ("tool", "offered", "setting"),
    [
        ({"urlContext": {}}, OfferedWeb(search=True), "COLLOQUY_URL_HOSTS"),
        ({"googleSearch": {}}, OfferedWeb(pages=True), "COLLOQUY_SEARCH_URL"),
        ({"googleSearchRetrieval": {}}, OfferedWeb(), "COLLOQUY_SEARCH_URL"),
    ],
)
def test_what_is_not_configured_is_refused_by_its_name(
    tool: dict[str, Any], offered: OfferedWeb, setting: str
) -> None:
    with pytest.raises(Unimplemented, match=setting) as refused:
        read({}, tool, offered=offered)
    assert refused.value.reason == "NOT_OFFERED"
    assert refused.value.metadata["field"] == f"tools[1].{next(iter(tool))}"


UNREADABLE: list[tuple[list[dict[str, Any]], str]] = [
    ([{"googleSearch": {}}, {"googleSearchRetrieval": {}}], "tools[1].googleSearchRetrieval"),
    ([{"googleSearch": {}, "googleSearchRetrieval": {}}], "tools[0].googleSearchRetrieval"),
    (
        [dynamic(mode="MODE_DYNAMIC", dynamicThreshold=1.1)],
        "tools[0].googleSearchRetrieval.dynamicRetrievalConfig.dynamicThreshold",
    ),
    (
        [{"googleSearch": {"excludeDomains": ["a"] * 2_001}}],
        "tools[0].googleSearch.excludeDomains",
    ),
]


@pytest.mark.parametrize(("tools", "field"), UNREADABLE)
def test_what_cannot_be_searched_is_refused(tools: list[dict[str, Any]], field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(*tools)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nothing", []),
        ("See https://a.example/b?c=d&e#f.", ["https://a.example/b?c=d&e#f"]),
        ("(http://a.example/x)", ["http://a.example/x"]),
        ("https://a.example/x_(y), and more", ["https://a.example/x_(y)"]),
        ("[a](https://a.example/b)", ["https://a.example/b"]),
        ("<https://a.example/> “HTTP://B.EXAMPLE/”!", ["https://a.example/", "HTTP://B.EXAMPLE/"]),
        ("ftp://a.example file:///etc/passwd", []),
        ("http://...", ["http://"]),
    ],
)
def test_addresses_end_before_the_marks_of_their_sentence(text: str, found: list[str]) -> None:
    assert list(web_tools.addresses(text)) == found


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is it? See https://a.example/b.", "What is it?"),
        ("What is it? See https://a.example/ or (https://b.example/).", "What is it?"),
        ("According to https://a.example/, what is a swim?", "According to , what is a swim?"),
        ("https://a.example/", "https://a.example/"),
        ("Was ist das?\nhttps://a.example/a?b\n", "Was ist das?"),
        ("v1.2 costs 3.5 euros", "v1.2 costs 3.5 euros"),
    ],
)
def test_a_query_is_told_without_addresses(text: str, asked: str) -> None:
    assert web_tools.without_addresses(text) == asked


def test_the_addresses_of_the_last_turn_come_first() -> None:
    turns = [
        PastTurn("http://a/ http://b/", "http://no/"),
        PastTurn("http://c/ http://a/", ""),
    ]
    assert web_tools.urls_in(turns, "f") == ("http://c/", "http://a/", "http://b/")


@pytest.mark.parametrize("mark", [")", ".", "）"])
def test_marks_without_end_are_taken_off_in_linear_time(mark: str) -> None:
    assert list(web_tools.addresses("http://a/b" + mark * 4_000)) == ["http://a/b"]
    assert (
        costs.growth(lambda size: list(web_tools.addresses("http://a" + mark * size)), 4_000) < 32
    )


def test_no_more_addresses_are_read_than_documented() -> None:
    many = " ".join(f"http://a/{number}" for number in range(21))
    turns = [PastTurn(many, ""), PastTurn("http://b/", "")]
    assert len(web_tools.urls_in(turns, "f")) == 20
    with pytest.raises(ServiceError, match="at most 20") as refused:
        web_tools.urls_in([PastTurn(many, "")], "contents[2].parts")
    assert isinstance(refused.value, InvalidArgument)
