"""What a search may find while documents change."""

from __future__ import annotations

import pytest

from tests.chaos.searchers import Change, Entry, fits

WORD = "entry"


def entry(*changes: Change) -> Entry:
    return Entry(id="d", word=WORD, changes=list(changes))


def change(mark: str | None, sent: float, known: float | None) -> Change:
    return Change(mark=mark, sent=sent, known=known)


TWO = entry(change("one", 1.0, 2.0), change("two", 3.0, 4.0))
GONE = entry(change("one", 1.0, 2.0), change(None, 3.0, 4.0))


@pytest.mark.parametrize(
    ("about", "words", "seen", "settled", "right"),
    [
        (TWO, WORD, "two", 5.0, True),
        (TWO, WORD, "one", 5.0, False),  # an old state
        (TWO, WORD, None, 5.0, False),  # lost
        (TWO, WORD, "one", 3.5, True),  # the change is too young
        (TWO, WORD, None, 3.5, False),
        (TWO, WORD, None, -1.0, True),  # nothing is certain
        (TWO, WORD, "three", -1.0, False),  # never written
        (TWO, "two", "two", 5.0, True),
        (TWO, "two", None, 5.0, False),
        (TWO, "one", None, 5.0, True),
        (TWO, "one", "one", 5.0, False),
        (TWO, "two", None, 3.5, True),
        (GONE, WORD, None, 5.0, True),
        (GONE, WORD, "one", 5.0, False),  # still there
        (GONE, WORD, "one", 3.5, True),
    ],
)
def test_what_a_search_may_find(
    about: Entry, words: str, seen: str | None, settled: float, right: bool
) -> None:
    assert fits(about, words, seen, settled, now=6.0) is right


def test_a_change_that_is_under_way_may_be_seen_or_not() -> None:
    about = entry(change("one", 1.0, 2.0), change("two", 5.0, None))
    assert fits(about, WORD, "one", settled=4.0, now=6.0)
    assert fits(about, WORD, "two", settled=4.0, now=6.0)
    assert not fits(about, WORD, "two", settled=4.0, now=4.5)
