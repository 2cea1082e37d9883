"""Terms are counted in what can be seen, exactly, as if nothing else were there."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import pytest

from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.term_statistics import TermStatistics
from tests.corpus.doubles import content
from tests.corpus.tantivy.reader.readers import SEEN, reader, searcher

RARE = 7
"""Entries that have the rare word."""


def statistics(total: int, hidden: Collection[int] = ()) -> TermStatistics:
    entries = {
        number: {"title": "guide", "body": "common rare" if number < RARE else "common"}
        for number in range(total)
    }
    return TermStatistics(searcher(entries, hidden=hidden), total - len(hidden))


def test_chunks_with_a_term_are_counted_by_field() -> None:
    of = statistics(20)
    assert of.frequency("body", "common") == 20
    assert of.frequency("body", "rare") == RARE
    assert of.frequency("title", "common") == of.frequency("body", "none") == 0
    assert of.fields_with("common") == {"body"}
    assert of.fields_with("guide") == {"title"}
    assert of.knows(("none", "rare"))
    assert not of.knows(("none",))


def test_the_rarer_a_term_is_the_more_it_tells() -> None:
    of = statistics(20)
    telling = [of.idf(variants) for variants in (("common",), ("common", "rare"), ("rare",), ())]
    assert telling[0] == telling[1]  # no more chunks have it than there are
    assert all(one < other for one, other in itertools.pairwise(telling[1:]))
    assert of.idf(("none",)) == of.idf(())


def test_what_few_chunks_have_is_rare() -> None:
    assert not statistics(20).is_rare(("rare",))
    assert statistics(20).is_rare(("none",))
    assert statistics(100 * RARE).is_rare(("rare",))
    assert statistics(20, hidden=range(2)).is_rare(("rare",))


@pytest.mark.parametrize("hidden", [range(RARE), range(40), range(5, 40), range(700)])
def test_no_hidden_chunk_counts(hidden: range) -> None:
    """Whether chunks are listed or counted, and the visible ones or the others."""
    of = statistics(1_200, hidden)
    assert of.frequency("body", "common") == 1_200 - len(hidden)
    seen = sum(number not in hidden for number in range(RARE))
    assert of.frequency("body", "rare") == seen
    assert of.knows(("rare",)) == bool(seen)
    assert of.fields_with("common") == {"body"}
    assert statistics(600, range(590)).fields_with("common") == {"body"}  # not of the first


def test_common_words_are_counted_in_what_can_be_seen() -> None:
    """However many there are: what is looked through one by one, and what is counted at once."""
    many = {f"n{n}": content(f"n{n}", "common rarity" if n < 40 else "common") for n in range(560)}
    hidden = {f"h{n}": content(f"h{n}", "common secret", team="hr") for n in range(560)}
    alone, within = reader(many), reader(hidden, many).within(SEEN)
    for term in ("common", "rariti", "secret", "none"):
        assert within.knows((term,)) == alone.knows((term,))
        assert within.idf((term,)) == alone.idf((term,))


@pytest.mark.parametrize("hidden", [540, 1_000])
def test_what_was_deleted_is_not_counted(hidden: int) -> None:
    """Neither where what is visible is counted itself, nor where it is what the others leave."""
    writer = IndexWriter()
    texts = ["common" if n < 580 else "other" for n in range(1_000)]
    seen = {f"n{n}": content(f"n{n}", text) for n, text in enumerate(texts)}
    others = {f"h{n}": content(f"h{n}", "common", team="hr") for n in range(hidden)}
    writer.apply(seen | others)
    writer.apply({f"h{n}": content(f"h{n}", "rare", team="hr") for n in range(0, hidden, 2)})
    writer.apply({}, gone=[f"n{n}" for n in range(40)])
    within = writer.reader.within(SEEN)
    left = {name: each for name, each in seen.items() if int(name[1:]) >= 40}
    assert within.idf(("common",)) == reader(left).idf(("common",))
    assert within.idf(("rare",)) == within.rarest
