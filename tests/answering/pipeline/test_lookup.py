"""What is looked up beside what the words of a query find first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.questions.local_portals import LocalPortal, document_of

pytestmark = pytest.mark.anyio

CALLS = 60
SETTINGS = 150
"""More than are looked through for what says what something is."""


def portal(folder: Path) -> LocalPortal:
    """Return a portal with one page that explains, and very many of a reference."""
    for number in range(CALLS):
        name = f"pier_{number}_permit"
        text = f"# {name}\n\nReturns the permit of pier {number}, or no permit.\n"
        (folder / f"{name}.md").write_text(text, "utf-8")
    (folder / "landing.md").write_text(
        "# Landing\n\n## Who may land\n\nEveryone who crosses the bay has to show papers,"
        " whether they come by ferry or in a boat of their own.\n\nA permit is a paper that lets"
        " its holder land at every pier. It holds for a year, and the harbour sells it.\n",
        "utf-8",
    )
    return LocalPortal(folder)


async def test_what_explains_is_found_behind_very_many_entries_of_a_reference(
    tmp_path: Path,
) -> None:
    answer = await portal(tmp_path).ask("What is a permit?")
    assert answer.answer_text.startswith("A permit is a paper")


async def test_an_entry_is_found_by_its_name(tmp_path: Path) -> None:
    answer = await portal(tmp_path).ask("What does pier_7_permit do?")
    assert answer.answer_text.startswith("Returns the permit of pier 7")
    assert document_of(answer.references[0]).startswith("pier_7_permit")


def named_portal(folder: Path) -> LocalPortal:
    """Return a portal whose every page has the name, and one that says in full what it is."""
    for number in range(SETTINGS):
        text = (
            f"# Quillport setting {number}\n\nThe Acme Quillport setting {number} is kept by"
            f" Quillport. To use Quillport with pier {number}, open Quillport and read the list.\n"
        )
        (folder / f"setting_{number}.md").write_text(text, "utf-8")
    long = " It sorts tickets, boats and seats of all harbours, and never sleeps." * 8
    (folder / "about.md").write_text(
        "# What is Acme Quillport?\n\nAcme Quillport is a clerk that sells tickets for ferries."
        f"{long}\n",
        "utf-8",
    )
    return LocalPortal(folder)


async def test_what_a_portal_is_about_is_found_where_its_name_is_told_in_full(
    tmp_path: Path,
) -> None:
    answer = await named_portal(tmp_path).ask("What is Quillport?")
    assert answer.answer_text.startswith("Acme Quillport is a clerk")


async def test_the_default_is_found_where_nothing_is_said_to_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "tickets.md").write_text(
        "# Tickets\n\n## Choosing a ticket\n\nThe one ticket that you choose in the list is printed"
        " for each traveller.\n\n## Printing\n\nBy default, a day ticket is printed.\n",
        "utf-8",
    )
    answer = await LocalPortal(tmp_path).ask("Which ticket is printed if I don't choose one?")
    assert answer.answer_text == "By default, a day ticket is printed."


async def test_what_defines_a_word_is_found_behind_many_pages_called_by_it(tmp_path: Path) -> None:
    for number in range(CALLS):
        (tmp_path / f"net_{number}.md").write_text(
            f"# Net {number}\n\nMend net {number}.\n", "utf-8"
        )
    for number in range(CALLS // 2):
        text = f"# Berth list {number}\n\n## Berth\n\nManage the berth of boat {number}.\n"
        (tmp_path / f"berth_{number}.md").write_text(text, "utf-8")
    (tmp_path / "words.md").write_text(
        "# Words of the harbour\n\nA berth is a place at the quay where one boat lies."
        " It has a number that is painted on the quay.\n",
        "utf-8",
    )
    answer = await LocalPortal(tmp_path).ask("What's a berth?")
    assert answer.answer_text.startswith("A berth is a place at the quay")


async def test_what_defines_a_word_goes_before_pages_that_use_it_though_one_of_them_defines_it(
    tmp_path: Path,
) -> None:
    for number in range(CALLS):
        text = f"# Berth list {number}\n\n## Berth\n\nManage the berth of boat {number}.\n"
        (tmp_path / f"berth_{number}.md").write_text(text, "utf-8")
    (tmp_path / "rope.md").write_text("# Berth ropes\n\nA berth is where ropes lie.\n", "utf-8")
    (tmp_path / "words.md").write_text(
        "# Harbour\n\n## The words\n\n### Berths\n\nA berth is a place at the quay where one"
        " boat lies.\n\n### Berth formats\n\nBerths are exported from the berth list.\n",
        "utf-8",
    )
    answer = await LocalPortal(tmp_path).ask("What's a berth?")
    assert answer.answer_text.startswith("A berth is a place at the quay")


async def test_who_made_it_is_found_behind_many_pages_about_making_something_with_it(
    tmp_path: Path,
) -> None:
    for number in range(CALLS):
        text = f"# Make plan {number}\n\nDevelop plan {number} with Quay Planner and develop it.\n"
        (tmp_path / f"plan_{number}.md").write_text(text, "utf-8")
    (tmp_path / "about.md").write_text(
        "# Words\n\n## A\n\nQuay Planner is produced by a team of volunteers.\n", "utf-8"
    )
    answer = await LocalPortal(tmp_path).ask("Who develops Quay Planner?")
    assert answer.answer_text == "Quay Planner is produced by a team of volunteers."


async def test_a_limit_is_found_behind_very_many_pages_about_what_is_limited(
    tmp_path: Path,
) -> None:
    for number in range(CALLS):
        text = f"# Pier {number}\n\nBoats lie here. Who rents boats can have boats here.\n"
        (tmp_path / f"boats_{number}.md").write_text(text, "utf-8")
    (tmp_path / "rules.md").write_text(
        "# Rules\n\n## Of all piers\n\nThe harbour asks for quiet.\n\n"
        "The maximum number of boats for one member is 12.\n",
        "utf-8",
    )
    answer = await LocalPortal(tmp_path).ask("How many boats can I have?")
    assert "12" in answer.answer_text
