"""Replies as a service gives them."""

from __future__ import annotations

from service.evaluation.rest_client import FoundSource, QueryReply

STORE = "projects/p/locations/l/collections/c/dataStores/d/branches/0/documents"


def source(document: str, *, title: str = "", uri: str = "", cited: bool = True) -> FoundSource:
    return FoundSource(document=f"{STORE}/{document}", title=title, uri=uri, cited=cited)


def said(text: str, *sources: FoundSource) -> QueryReply:
    return QueryReply(text=text, sources=sources, grounding=1.0, seconds=0.1)


def refused(*reasons: str) -> QueryReply:
    return QueryReply(text="There is no answer.", reasons=reasons or ("NO_RELEVANT_CONTENT",))
