"""The guide's Markdown as HTML: anchors, links, and no markup of its own."""

from __future__ import annotations

import pytest

from service.api.pages import guide_markdown


def test_a_page_has_its_title_and_sections_with_anchors() -> None:
    page = guide_markdown.rendered(
        "# The `x` page\n\nIt *is*\nhere.\n\n## How?\n\n- a `b`\n\n"
        "## How?\n\n```sh\nrun\n```\n\n### Why, then\n"
    )
    assert page.title == "The x page"
    assert page.sections == (
        (1, "The x page", "the-x-page", "It is here."),
        (2, "How?", "how", "a b"),
        (2, "How?", "how-1", "run"),
        (3, "Why, then", "why-then", ""),
    )
    assert '<h2 id="how-1">How?</h2>' in page.html


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("limits.md", "/guide/limits"),
        ("request-fields.md#what", "/guide/request-fields#what"),
        ("https://example.com/", "https://example.com/"),
        ("#here", "#here"),
    ],
)
def test_links_lead_to_the_pages_that_are_served(target: str, address: str) -> None:
    assert f'<a href="{address}">x</a>' in guide_markdown.rendered(f"[x]({target})").html


@pytest.mark.parametrize("target", ["../../pyproject.toml", "code/map.md"])
def test_a_link_to_what_is_not_served_is_text(target: str) -> None:
    assert "href" not in guide_markdown.rendered(f"[x]({target})").html


def test_markup_and_scripts_stay_text() -> None:
    html = guide_markdown.rendered("<script>x</script>\n\n[x](javascript:alert(1)) <b>b</b>").html
    assert "<script" not in html
    assert "<b>" not in html
    assert "href" not in html


def test_tables_and_code_are_such() -> None:
    html = guide_markdown.rendered("| a | b |\n| - | - |\n| c | d |\n\n```sh\nls\n```\n").html
    assert '<table tabindex="0">' in html
    assert '<code class="language-sh">ls' in html
