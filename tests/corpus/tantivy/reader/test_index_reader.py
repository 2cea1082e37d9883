"""A reader within a condition is one of an index that has nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.corpus import document_filters
from service.corpus.document_filters import ALL, NOTHING
from service.corpus.index import Boost, Hit, SearchContext
from service.corpus.ranking import scoped_search
from sessions import names
from tests.corpus.doubles import content
from tests.corpus.tantivy.reader.readers import SEEN, reader, search
from tests.corpus.texts import STORE

PUBLIC = {
    "parking": content("parking", "A parking permit costs 30 euro a year.", "Pay by the day."),
    "pool": content("pool", "The swimming pool opens at nine.", title="Swimming"),
    "dogs": content("dogs", "Dogs need a licence. It costs 90 euro a year."),
}
HIDDEN = {
    "merger": content("merger", "The merger with Bluebird is called project Kestrel.", team="hr"),
    "fees": content("fees", "A parking permit costs the staff 5 euro a year.", team="hr"),
    "pay": content("pay", "Salaries and gratuities of parking wardens.", "Wages.", team="hr"),
    "lohn": content("lohn", "Der Lohn der Wächter steht in der Tabelle.", language="de", team="hr"),
}
ALONE = reader(PUBLIC)
WHOLE = reader(HIDDEN, PUBLIC)
WITHIN = WHOLE.within(SEEN)


QUERIES = (
    "What does a parking permit cost?",
    "project Kestrel merger with Bluebird",
    "What is Bluebird's parking fee?",
    "gratuites of wardens",
    "gratuities",
    "Was ist der Lohn der Wächter?",
    "salary",
    "swiming pol",
    "",
)


@pytest.mark.parametrize("query", QUERIES)
def test_it_finds_and_judges_as_if_nothing_else_were_there(query: str) -> None:
    alone, within = search(ALONE, query), search(WITHIN, query)
    assert {(hit.chunk.name, hit.relevance) for hit in within} == {
        (hit.chunk.name, hit.relevance) for hit in alone
    }


@pytest.mark.parametrize("query", QUERIES)
def test_it_reads_queries_as_if_nothing_else_were_there(query: str) -> None:
    """A correction, a synonym or a known name would tell of a word that only others may read."""
    alone = scoped_search.read_query([(STORE, ALONE)], query)
    assert scoped_search.read_query([(STORE, WITHIN)], query) == alone


def test_nothing_of_it_tells_of_anything_else() -> None:
    assert WITHIN.languages == ALONE.languages
    assert WITHIN.spoken == ALONE.spoken
    assert WITHIN.chunks == ALONE.chunks
    assert WITHIN.rarest == ALONE.rarest
    assert len(WITHIN.matching(ALL)) == len(ALONE.matching(ALL))
    assert WITHIN.numbers(["merger"]) == {}
    assert WITHIN.read_chunks("merger", 0, 9) == []
    assert [each.id for each in WITHIN.list_documents(ALL)] == ["dogs", "parking", "pool"]
    assert WITHIN.list_documents(document_filters.parse('team: ANY("hr")')) == []
    assert set(WITHIN.digests()) == set(PUBLIC)


@pytest.mark.parametrize(
    "text",
    [
        'team: ANY("hr")',
        'NOT id: ANY("none")',
        'id: ANY("merger") OR NOT id: ANY("merger")',
        '(team: ANY("hr") OR NOT team: ANY("hr"))',
        "",
    ],
)
def test_no_filter_of_a_caller_undoes_the_condition(text: str) -> None:
    assert not _ids(search(WITHIN, "parking merger", filter=text)) & set(HIDDEN)


def test_no_boost_preference_or_context_shows_what_is_hidden() -> None:
    hidden = names.document(STORE, "merger")
    boosts = tuple(
        Boost(text, by) for text in ('team: ANY("hr")', 'id: ANY("x")') for by in (1, -1)
    )
    context = SearchContext(queries=("merger?",), answer="Bluebird", documents=((hidden,),))
    plain = search(WITHIN, "it costs a year")
    boosted = search(
        WITHIN, "it costs a year", boosts=boosts, preferred_documents=(hidden,), context=context
    )
    assert _ids(boosted) == _ids(plain)
    # A boost on a field of what is hidden moves nothing that can be seen.
    hr = Boost('team: ANY("hr")', 1.0)
    assert search(WITHIN, "parking", boosts=(hr,)) == search(WITHIN, "parking")


@pytest.mark.parametrize("hidden", [30, 900])
def test_what_fits_better_and_is_hidden_crowds_nothing_out(hidden: int) -> None:
    """Of 210 that can be seen all are found that are read, though others have higher scores."""
    seen = {f"n{n}": content(f"n{n}", "parking costs a lot by the day") for n in range(210)}
    better = {f"h{n}": content(f"h{n}", "parking", team="hr") for n in range(hidden)}
    within = reader(better, seen).within(SEEN)
    found = _ids(search(within, "parking"))
    assert len(found) == len(_ids(search(reader(seen), "parking")))
    assert found <= set(seen)


def test_who_sees_all_has_the_reader_itself_and_who_sees_nothing_an_empty_one() -> None:
    whole = reader(PUBLIC)
    assert whole.within(ALL) is whole
    assert whole.within(SEEN) is whole
    assert search(whole.within(NOTHING), "parking") == []


def test_the_same_documents_have_one_reader() -> None:
    """Of a thousand people who see the same, each costs a set of numbers, and no reader."""
    whole = reader(HIDDEN, PUBLIC)
    other = document_filters.parse('NOT team: ANY("hr", "board")')
    assert whole.within(SEEN) is whole.within(other)


def _ids(hits: Sequence[Hit]) -> set[str]:
    return {names.last_id(hit.chunk.document) for hit in hits}


@pytest.mark.parametrize(
    "text",
    [
        'id: ANY("pool", "merger", "none")',
        'NOT id: ANY("pool")',
        'id: ANY("pool", "dogs") AND NOT team: ANY("hr")',
        'NOT (id: ANY("pool") OR team: ANY("hr"))',
        'team: ANY("hr") OR id: ANY("dogs")',
    ],
)
def test_conditions_on_ids_match_what_the_documents_say(text: str) -> None:
    """They are looked up, not held against each document."""
    condition = document_filters.parse(text)
    told = {
        each.id
        for each in WHOLE.list_documents(ALL)
        if document_filters.matches(condition, each.content.facts(each.id))
    }
    assert {each.id for each in WHOLE.list_documents(condition)} == told
    assert WHOLE.ids(condition) == told
    found = WHOLE.select(WHOLE.matching(ALL), condition)
    assert found == set(WHOLE.numbers(told).values())
