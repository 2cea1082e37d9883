"""What one call costs is bounded, whatever it brings within its limits."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest

from service.answering.methods import check_grounding, rag, rank
from service.answering.proof import grounding, token_counts
from service.answering.proof.grounding import SourceTexts
from service.answering.requests import search_validation
from sessions.errors import InvalidArgument
from sessions.resources import search_requests
from sessions.resources.augmentations import CorroborateContentRequest, Fact
from sessions.resources.check_grounding import CheckGroundingRequest, GroundingFact
from sessions.resources.contents import Content, Part
from sessions.resources.rank import RankingRecord, RankRequest


def cpu(work: Callable[[], object]) -> float:
    """Return the processor seconds of this thread that *work* takes."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def plain(count: int) -> str:
    return " ".join(f"Word{n} costs {n} euros." for n in range(count))


@pytest.mark.parametrize(
    "sentence", ["Aa. ", "Aa b{0}. ", "Fee {0} is due in town.\n", "{0}, Aa and no b{0}! "]
)
def test_a_claim_costs_hardly_more_where_every_sentence_resembles_it(sentence: str) -> None:
    """Each claim was held against each sentence of each fact: minutes for a body of 2 MB."""
    text = "".join(sentence.format(n) for n in range(1000))[:5000]
    claims = [claim for _, _, claim in grounding.claims(text)]
    usual = plain(200)[:5000]
    few = [claim for _, _, claim in grounding.claims(usual)]
    hostile, normal = SourceTexts([text + str(n) for n in range(3)]), SourceTexts([usual] * 3)
    for evidence in (hostile, normal):
        evidence.scores("read them")
    spent = cpu(lambda: [hostile.scores(claim) for claim in claims]) / len(claims)
    usually = cpu(lambda: [normal.scores(claim) for claim in few]) / len(few)
    assert spent < 20 * usually + 1e-3


def test_a_fact_costs_what_its_length_tells() -> None:
    def check(count: int) -> None:
        facts = tuple(
            GroundingFact(fact_text="".join(f"Aa {at}.{n} b. " for n in range(300)))
            for at in range(count)
        )
        request = CheckGroundingRequest(answer_candidate="Aa b c. " * 200, facts=facts)
        check_grounding.check(request)
        check_grounding.support(request)

    check(1)
    assert cpu(lambda: check(20)) < 200 * max(cpu(lambda: check(2)), 1e-3) / 2


def test_the_window_that_has_most_is_found_among_many() -> None:
    """What is looked for among all sentences at once is what looking at each would find."""
    words = ("alpha", "beta", "gamma", "delta", "omega")
    subsets = [" ".join(some) for size in (1, 2, 3) for some in itertools.combinations(words, size)]
    text = ". ".join(subsets).title() + "."
    claim = "Alpha beta gamma delta omega"
    best = max(SourceTexts([part]).score(claim) for part in _windows(text.split(". ")))
    assert SourceTexts([text]).score(claim) >= best - 0.15


def _windows(sentences: list[str]) -> list[str]:
    return [". ".join(sentences[at : at + 3]) + "." for at in range(len(sentences) - 2)]


def test_characters_that_are_billed_are_all_but_white_space() -> None:
    text = "a b\u00a0c\u3000d\n\te \u2028 f\x1cg"
    assert token_counts.billable(text) == sum(not one.isspace() for one in text)


def test_facts_of_a_corroboration_are_bounded() -> None:
    content = Content(parts=(Part(text="The fee is 3 euros."),))
    long = Fact(summary="x" * (check_grounding.FACT + 1))
    with pytest.raises(InvalidArgument, match=r"facts\[1\]\.summary: at most 10000 characters"):
        rag.corroborate(
            CorroborateContentRequest(content=content, facts=(Fact(summary="fee"), long))
        )


def test_a_title_is_ranked_by_its_beginning() -> None:
    record = RankingRecord(id="1", title="fee " * 100_000)
    assert cpu(lambda: rank.rank(RankRequest(query="What is the fee?", records=(record,)))) < 5


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (search_requests.SearchRequest(order_by=",".join("abcdefghijk")), "orderBy"),
        (
            search_requests.SearchRequest(
                data_store_specs=(search_requests.DataStoreSpec(),) * 101
            ),
            "dataStoreSpecs",
        ),
        (
            search_requests.SearchRequest(
                boost_spec=search_requests.BoostSpec(
                    condition_boost_specs=(search_requests.ConditionBoostSpec(boost=0.5),) * 21
                )
            ),
            "boostSpec.conditionBoostSpecs",
        ),
        (
            search_requests.SearchRequest(
                facet_specs=(
                    search_requests.FacetSpec(
                        facet_key=search_requests.FacetKey(key="k", prefixes=("a",) * 101)
                    ),
                )
            ),
            "facetSpecs[0].facetKey.prefixes",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_search_asks_for_so_much_and_no_more(
    request_: search_requests.SearchRequest, field: str
) -> None:
    with pytest.raises(InvalidArgument, match="at most") as refused:
        search_validation.check(request_, "d")
    assert str(refused.value).startswith(field)
