"""The guide as served: every page, every link between them, under the policy of all pages."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from service.api.pages.static_pages import POLICY
from tests.clients.discovery import Service
from tests.middleware.raw_http import send

NAMES = sorted(
    one.name.removesuffix(".md")
    for one in files("service.guide").iterdir()
    if one.name.endswith(".md")
)


def test_every_page_is_served_and_every_link_between_them_leads_somewhere(
    service: Service,
) -> None:
    pages = {
        f"/guide/{name}": send(service, "GET", f"/guide/{name}").body.decode() for name in NAMES
    }
    pages["/guide"] = send(service, "GET", "/guide").body.decode()
    anchors = {path: set(re.findall(r'id="([^"]+)"', html)) for path, html in pages.items()}
    linked = {link for html in pages.values() for link in re.findall(r'href="(/guide[^"]*)"', html)}
    assert len(linked) > len(NAMES)
    for link in linked:
        path, _, anchor = link.partition("#")
        assert path in pages, link
        assert not anchor or anchor in anchors[path], link


def test_each_section_that_is_searched_leads_to_its_heading(service: Service) -> None:
    sections = json.loads(send(service, "GET", "/guide/sections.json").body)
    assert len(sections) > 5 * len(NAMES)
    for path in {address.partition("#")[0] for address, *_ in sections}:
        html = send(service, "GET", path).body.decode()
        found = [address for address, *_ in sections if address.startswith(f"{path}#")]
        assert [f"{path}#{each}" for each in re.findall(r'<h\d id="([^"]+)"', html)] == found


def test_a_page_names_itself_and_comes_under_the_policy(service: Service) -> None:
    reply = send(service, "GET", "/guide/limits")
    assert reply.headers["Content-Security-Policy"] == POLICY
    assert (reply.headers["Content-Type"] or "").startswith("text/html")
    assert b'<a href="/guide/limits" aria-current="page">' in reply.body


@pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e%2fpyproject", "index.md", "x" * 900])
def test_what_is_no_page_is_not_found(service: Service, name: str) -> None:
    assert send(service, "GET", f"/guide/{name}").status == 404
