"""What of an answer query is refused before anything is written."""

from __future__ import annotations

import msgspec
import pytest

from service.answering.requests import queries
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.answer_query import AnswerQueryRequest

PARENT = "projects/p/locations/l/collections/c/dataStores/d"


def test_results_in_the_request_are_not_without_end() -> None:
    """They are read at once, and what is read stays read for a while."""
    result = {"chunkInfo": {"chunk": "c", "content": "x" * (queries.MAX_GIVEN // 2 + 1)}}
    body = {
        "query": {"text": "What is the fee?"},
        "searchSpec": {"searchResultList": {"searchResults": [result, result]}},
    }
    request = json_codec.decode(AnswerQueryRequest, msgspec.json.encode(body))
    with pytest.raises(InvalidArgument, match="searchResultList"):
        queries.check(request, PARENT, frozenset())
