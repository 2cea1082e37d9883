"""What the section that a block stands under says for it: a code, limits, what helps."""

from __future__ import annotations

from tests.generation.extraction.pages import answer, page


def test_a_code_is_told_by_the_section_that_is_called_by_it() -> None:
    """What counts how often the code came has its words, and does not say what it means."""
    counters = page(
        "Counters of the lock",
        """\
# Counters of the lock

| Counter | What it counts |
| --- | --- |
| lock_502_count | The number of HTTP 502 error codes. |
| lock_504_count | The number of HTTP 504 error codes. |
""",
    )
    trouble = page(
        "Trouble at the lock",
        """\
# Trouble at the lock

## HTTP 502: Bad gate

Possible causes:

- The gate was opened by hand.
- The keeper sleeps.

## HTTP 504: Late gate

Possible causes:

- The tide was low.
""",
    )
    told = answer("What does error 502 mean?", counters, trouble)
    assert "opened by hand" in told
    assert "tide" not in told


def test_a_limit_is_told_by_what_is_called_limits() -> None:
    steps = page(
        "Boats of a berth",
        """\
To bring boats to a berth:

1. Register all boats that you have on 1 form for each berth.
2. Hand it in at the pier with 30 minutes of time.
""",
    )
    quotas = page(
        "Quotas of the harbour",
        """\
Your contract has these quotas.

## Others

- Berths per pier: 3
- Boats per berth: 12
- Anchors per boat: 2
""",
    )
    told = answer("How many boats can I register per berth?", steps, quotas)
    assert "Boats per berth: 12" in told
    assert "form" not in told


def test_the_number_of_a_version_counts_nothing() -> None:
    copies = page(
        "Copies",
        """\
## Copies of a chart

To enable backups on charts of version 5 copies, first create the copies, then enable backups.

You can create up to five copies of a chart.
""",
    )
    assert answer("How many copies can I create?", copies).startswith("You can create up to five")


def test_what_fails_is_told_by_what_helps_and_not_by_how_it_is_done() -> None:
    mooring = page(
        "Mooring a boat",
        """\
## Mooring a boat

1. Sail to the berth of the boat.
2. Throw the rope and moor the boat to the pier.
""",
    )
    troubles = page(
        "Troubleshooting",
        """\
## Boats that cannot moor

If a boat cannot moor, check that the rope is long enough and that no other boat lies there.
""",
    )
    told = answer("I can't moor my boat, what can I do?", mooring, troubles)
    assert told.startswith("If a boat cannot moor")


def test_what_answers_under_a_like_question_need_not_repeat_it() -> None:
    """Another page has more words of the query, scattered over a paragraph."""
    hulls = page(
        "Hulls",
        "So that a hull lasts, the boat is lifted in winter, and its old paint is sanded off.\n",
    )
    questions = page(
        "Questions",
        """\
## Why does the paint peel from the hull?

Salt gets behind it because the primer was left out. Sand all of it down to the wood.
""",
    )
    told = answer("Why does the paint come off the hull in winter?", hulls, questions)
    assert told.startswith("Salt gets behind it")
