"""Who asks what the whole portal is about is told by the page that introduces it."""

from __future__ import annotations

import pytest

from tests.questions.local_portals import LocalPortal, document_of

pytestmark = pytest.mark.anyio

INTRODUCTION = """\
# Introduction

Quillport is a program for harbours: it keeps the berths, the boats and what they pay.

It is free, and runs on any computer of the harbour.
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> LocalPortal:
    """Return a portal whose name is on all of its pages, most of all where nothing introduces."""
    folder = tmp_path_factory.mktemp("quillport")
    (folder / "introduction.md").write_text(INTRODUCTION)
    for topic in ("Starting", "Stopping", "Printing", "Menu", "Fees", "Maps", "Ropes", "Lamps"):
        text = f"# {topic} Quillport\n\n## Quillport and {topic.lower()}\n\n"
        for number in range(1, 6):
            text += f"Quillport {topic.lower()} goes on with part {number} of Quillport here.\n\n"
        (folder / f"{topic.lower()}.md").write_text(text)
    return LocalPortal(folder)


@pytest.mark.parametrize(
    "query", ["What is Quillport?", "what does quillport do", "What is this Quillport thing?"]
)
async def test_the_subject_of_a_portal_is_told_by_its_introduction(
    portal: LocalPortal, query: str
) -> None:
    answer = await portal.ask(query)
    assert answer.answer_text.startswith("Quillport is a program for harbours")
    assert [document_of(one)[:12] for one in answer.references[:1]] == ["introduction"]
