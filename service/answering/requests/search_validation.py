"""Refuse searches that are wrong whatever the data stores hold."""

from __future__ import annotations

import re
from typing import Final

from service.answering.requests import order_by
from service.answering.requests.field_checks import (
    MAX_QUERY,
    MAX_USER,
    check_at_most,
    check_boosts,
    check_filter,
    check_labels,
    check_not_negative,
)
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources import search_requests
from sessions.resources.search_requests import SearchRequest

FACETS: Final = 100
"""Facets that one search may ask for."""
STORES: Final = 100
"""Data stores that one search may name."""
VALUES: Final = 100
"""Intervals, values, prefixes or parts that a facet may name."""
NEIGHBOURS: Final = 3
"""Chunks before and after a chunk that a search may ask for."""

_FIELD: Final = re.compile(r"[A-Za-z_][\w.\-]*")
_ORDERS: Final = frozenset({"", "count desc", "value desc", "count asc", "value asc"})


def check(request: SearchRequest, parent: str) -> None:
    """Refuse what is out of its bounds; the first such field is named.

    *parent* is the data store or engine that is searched.

    Raises:
        InvalidArgument: a field cannot be used.
    """
    check_not_negative(request.page_size, "pageSize")
    check_not_negative(request.offset, "offset")
    check_not_negative(request.one_box_page_size, "oneBoxPageSize")
    check_not_negative(request.num_results_per_data_store, "numResultsPerDataStore")
    check_at_most(len(request.query), MAX_QUERY, "query", "characters")
    check_at_most(len(request.user_pseudo_id), MAX_USER, "userPseudoId", "characters")
    check_labels(request.user_labels)
    check_filter(request.filter, field="filter")
    check_filter(request.canonical_filter, field="canonicalFilter")
    check_boosts(request.boost_spec, field="boostSpec")
    order_by.parse(request.order_by, field="orderBy")
    _check_data_stores(request)
    _check_facets(request)
    if request.content_search_spec:
        _check_content(request.content_search_spec)
    _check_session(request, parent)


def _check_data_stores(request: SearchRequest) -> None:
    check_at_most(len(request.data_store_specs), STORES, "dataStoreSpecs", "data stores")
    for at, spec in enumerate(request.data_store_specs):
        field = f"dataStoreSpecs[{at}]"
        names.checked(spec.data_store, names.DATA_STORE, field=f"{field}.dataStore")
        check_filter(spec.filter, field=f"{field}.filter")
        check_not_negative(spec.num_results, f"{field}.numResults")
        check_boosts(spec.boost_spec, field=f"{field}.boostSpec")


def _check_facets(request: SearchRequest) -> None:
    check_at_most(len(request.facet_specs), FACETS, "facetSpecs", "facets")
    for at, spec in enumerate(request.facet_specs):
        where = f"facetSpecs[{at}]"
        key = spec.facet_key or search_requests.FacetKey()
        if not _FIELD.fullmatch(key.key):
            field = f"{where}.facetKey.key"
            raise InvalidArgument(f"{field}: name a field of structData", field=field)
        check_not_negative(spec.limit, f"{where}.limit")
        for name, values in (
            ("intervals", key.intervals),
            ("restrictedValues", key.restricted_values),
            ("prefixes", key.prefixes),
            ("contains", key.contains),
        ):
            check_at_most(len(values), VALUES, f"{where}.facetKey.{name}", "values")
        if key.order_by not in _ORDERS:
            field = f"{where}.facetKey.orderBy"
            raise InvalidArgument(f"{field}: write 'count desc' or 'value desc'", field=field)
        for number, interval in enumerate(key.intervals):
            low, high = bounds(interval)[:2]
            if low is not None and high is not None and low > high:
                field = f"{where}.facetKey.intervals[{number}]"
                raise InvalidArgument(f"{field}: ends before it begins", field=field)


def bounds(interval: search_requests.Interval) -> tuple[float | None, float | None, bool, bool]:
    """Return the bounds of *interval*, None where open, and whether each is itself excluded."""
    low_open = interval.exclusive_minimum is not None
    high_open = interval.exclusive_maximum is not None
    low = interval.exclusive_minimum if low_open else interval.minimum
    high = interval.exclusive_maximum if high_open else interval.maximum
    return low, high, low_open, high_open


def _check_content(spec: search_requests.ContentSearchSpec) -> None:
    where = "contentSearchSpec"
    if summary := spec.summary_spec:
        check_not_negative(summary.summary_result_count, f"{where}.summarySpec.summaryResultCount")
    if snippets := spec.snippet_spec:
        check_not_negative(snippets.max_snippet_count, f"{where}.snippetSpec.maxSnippetCount")
    if extracts := spec.extractive_content_spec:
        for field, number in (
            ("maxExtractiveAnswerCount", extracts.max_extractive_answer_count),
            ("maxExtractiveSegmentCount", extracts.max_extractive_segment_count),
            ("numPreviousSegments", extracts.num_previous_segments),
            ("numNextSegments", extracts.num_next_segments),
        ):
            check_not_negative(number, f"{where}.extractiveContentSpec.{field}")
    if chunks := spec.chunk_spec:
        for field, number in (
            ("numPreviousChunks", chunks.num_previous_chunks),
            ("numNextChunks", chunks.num_next_chunks),
        ):
            check_not_negative(number, f"{where}.chunkSpec.{field}")
            check_at_most(number, NEIGHBOURS, f"{where}.chunkSpec.{field}", "chunks")


def _check_session(request: SearchRequest, parent: str) -> None:
    if request.session:
        session = names.checked(request.session, names.SESSION, field="session")
        if names.parent(session) != parent:
            raise InvalidArgument(
                f"session: must be one of {parent}, as the serving config", field="session"
            )
    spec = request.session_spec
    if spec is None:
        return
    if not request.session:
        raise InvalidArgument("sessionSpec: needs a session", field="sessionSpec")
    check_not_negative(
        spec.search_result_persistence_count or 0, "sessionSpec.searchResultPersistenceCount"
    )
