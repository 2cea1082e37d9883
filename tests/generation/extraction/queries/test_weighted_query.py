"""How telling the words of a query are."""

from __future__ import annotations

import itertools

import pytest

from service.generation.extraction.queries import translated_query
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.language.question_kinds import QuestionKind
from service.query_readings import QueryReading, QueryWord


def word(text: str, *readings: str, weight: float = 0.5) -> QueryWord:
    return QueryWord(text=text, readings=readings or (text,), weight=weight, known=True)


def test_words_that_only_ask_tell_less_than_the_topic() -> None:
    query = WeightedQuery("What is the difference between a ferry and a barge?")
    assert query.telling["differ"] < query.telling["barg"] / 2
    assert query.topic_terms == {"ferri", "barg"}


def test_a_word_is_met_by_what_it_is_read_as() -> None:
    reading = QueryReading(text="", words=(word("pasword", "password", weight=0.9), word("reset")))
    query = WeightedQuery("pasword reset", "en", reading)
    assert query.asked({"password"}) == {"pasword"}
    assert query.share({"pasword"}) > 0.6


def test_a_word_is_met_by_its_other_forms_and_not_by_what_else_it_is_called() -> None:
    query = WeightedQuery("Who wrote the logbook?")
    assert query.asked({"written", "maintain"}) == {"wrote"}


def test_a_word_is_met_by_the_words_that_say_it_in_full() -> None:
    """A page that writes of the command line is about the terminal, too."""
    query = WeightedQuery("Is there a boat for the terminal?")
    assert query.asked({"command", "line"}) == {"termin"}
    assert query.asked({"command"}) == frozenset()


def test_what_every_text_has_tells_little() -> None:
    query = WeightedQuery("ferry tickets")
    query.spread([{"ferri"}, {"ferri", "ticket"}, {"ferri"}])
    assert query.share({"ticket"}) > 0.7


def test_what_texts_say_weighs_the_same_in_any_order() -> None:
    """A set has it in another order in each process: a last bit would choose between texts."""
    query = WeightedQuery("Which harbour lends boats with lanterns in winter?", goes_on=True)
    query.spread([{"boat"}, {"boat", "lantern"}, {"winter"}])
    orders = list(itertools.permutations(query.weights))
    assert len({query.weigh(one) for one in orders}) == 1
    assert len({query.own_share(one) for one in orders}) == 1


def test_a_heading_is_like_a_topic_both_ways() -> None:
    query = WeightedQuery("What is a ferry ticket?")
    exact, longer = query.likeness("Ferry tickets"), query.likeness("Ferry tickets of zebras")
    assert exact == 1.0
    assert 0.5 < longer < exact
    assert query.likeness("Zebras") == query.likeness("") == 0.0


def test_a_heading_of_several_deeds_is_like_each_of_them() -> None:
    query = WeightedQuery("How do I remove a berth?")
    several, other = "How do I add, rename or remove a berth?", "How do I add a berth?"
    assert query.likeness(several) == 1.0
    assert query.likeness(other) < 0.9


@pytest.mark.parametrize(
    "heading",
    [
        "2.6 Q06 Why does the ferry not stop?",
        'Why does the ferry not "stop"?',
        "Why does the ferry not stop? I waved at it. The captain did not look.",
        "I waved at a ferry. Why does the ferry not stop?",
    ],
)
def test_a_question_of_a_heading_is_like_it_whatever_stands_around_it(heading: str) -> None:
    query = WeightedQuery("Why does the ferry not stop?")
    assert query.likeness(heading) == 1.0
    assert query.is_asked_by(heading)


def test_a_heading_that_asks_something_else_is_less_like_it() -> None:
    query = WeightedQuery("How much is a ferry ticket?")
    assert query.likeness("How much is a ferry ticket?") == 1.0
    assert query.likeness("Can I swim without a ferry ticket?") < 0.5
    assert WeightedQuery("May I go without a ticket?").likeness("Tickets") < 1.0


def test_an_identifier_is_not_met_by_one_that_it_is_part_of() -> None:
    (name,) = WeightedQuery("What does E_47 mean?").identifiers
    assert name.search("(E_47)")
    assert not name.search("E_471")
    assert not name.search("NO-E_47")


def test_a_query_without_words_is_met_by_nothing() -> None:
    query = WeightedQuery("?!")
    assert query.share(query.asked({"a"})) == 0.0
    assert query.likeness("a") == 0.0


def test_a_word_that_no_text_has_is_met_by_one_that_means_the_same() -> None:
    query = WeightedQuery("Can I remove the ferry?")
    query.spread([{"ferri", "delet"}, {"ferri"}])
    assert query.asked({"delet"}) == {"remov"}
    query.spread([{"ferri"}, {"ferri"}])
    assert query.share({"remov"}) < 0.8


def test_a_word_that_some_text_has_is_met_by_itself_alone() -> None:
    query = WeightedQuery("Can I remove the ferry?")
    query.spread([{"ferri", "delet"}, {"remov"}])
    assert not query.asked({"delet"})


def test_a_how_to_asks_without_a_mark() -> None:
    query = WeightedQuery("How do I board the ferry?")
    assert query.is_asked_by("How to board the ferry")
    assert not query.is_asked_by("Ferries")


@pytest.mark.parametrize("heading", ["I can't find the knob", "The knob isn't there", "No knob"])
def test_a_heading_with_the_same_problem_is_more_like_a_query(heading: str) -> None:
    asked = WeightedQuery("Why is there no knob?")
    turned = WeightedQuery("Why is there a knob?")
    assert asked.likeness(heading) > turned.likeness(heading)


def test_a_word_is_met_by_the_stem_that_it_is_read_as() -> None:
    """The stem of "purchase" is "purchas", and the stem of that "purcha", which no text has."""
    reading = QueryReading(text="", words=(word("comprar", "purchas"),), language="en")
    translated = translated_query.translate("comprar", "es", reading)
    query = WeightedQuery("comprar", "en", reading, translated=translated)
    assert query.asked({"purchas"})


def test_a_part_of_a_question_is_read_with_more_of_the_question_before() -> None:
    before = "How do I cut a branch?"
    part = WeightedQuery("in a pot?", context=before, part_of=QuestionKind.HOW_TO, goes_on=True)
    whole = WeightedQuery("in a pot?", context=before, goes_on=True)
    assert part.share({"branch"}) > whole.share({"branch"})
