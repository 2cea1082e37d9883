"""What is told of a chunk in few bytes is what its words are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.corpus.ranking.index_entries import FIELDS
from service.corpus.redis_search import encoded_terms, word_counts
from service.corpus.redis_search.word_counts import CountedWords

WORD = st.sampled_from([encoded_terms.token(word) for word in ("a", "tram", "tra", "é", "0", "泳")])
TEXT = st.lists(WORD, max_size=12).map(" ".join)
TEXTS = st.fixed_dictionaries({"title": TEXT, "headings": TEXT, "body": TEXT})


def often(told: CountedWords, word: str) -> list[int]:
    """Return how often *word* is in each field, nothing where it is in none."""
    at = told.words.get(word_counts.mark(word))
    return [] if at is None else list(told.often[at :: len(told.often) // len(FIELDS)])


@given(TEXTS, st.lists(WORD, unique=True))
def test_each_word_that_is_there_is_told_with_how_often(
    fields: dict[str, str], asked: list[str]
) -> None:
    packed = word_counts.pack("d", is_whole=False, fields=fields)
    words = [fields[field].split() for field in FIELDS]
    for told in (
        word_counts.unpack(packed),
        word_counts.unpack_some(packed, map(word_counts.mark, asked)),
    ):
        assert told.document_id == "d"
        assert told.lengths == [len(each) for each in words]
        for word in asked:
            there = [each.count(word) for each in words]
            assert often(told, word) == (there if any(there) else [])


def test_a_word_that_is_there_very_often_is_there() -> None:
    fields = {"title": "", "headings": "ta", "body": "ta " * 1_000}
    told = word_counts.unpack(word_counts.pack("d", is_whole=False, fields=fields))
    assert often(told, "ta") == [0, 1, 255]


@given(st.text(alphabet="ab-_9", max_size=20), st.booleans(), TEXTS)
def test_the_document_is_told_beside_the_words(
    document_id: str, is_whole: bool, fields: dict[str, str]
) -> None:
    told = word_counts.unpack(word_counts.pack(document_id, is_whole=is_whole, fields=fields))
    assert (told.document_id, told.is_whole) == (document_id, is_whole)
