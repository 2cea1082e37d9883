"""What of a search is refused, whatever the data stores hold."""

from __future__ import annotations

import pytest

from service.answering.requests import search_validation
from sessions.errors import InvalidArgument
from sessions.resources import search_requests


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
