"""What was read of the web for a candidate, as the public documents tell it."""

from __future__ import annotations

import html
from typing import NamedTuple

import msgspec

from sessions.resources import candidates
from sessions.resources.candidates import Candidate, GroundingMetadata, UrlRetrievalStatus


class WebReport(NamedTuple):
    """What was done in the web for a request.

    *urls* are the addresses that the request named, and whether their pages were read. *queries*
    were searched for, and *search_pages* show what each finds. *score* is how much the query needs
    the web, None where that was not asked. *retrieved* tells whether documents were searched, too.
    """

    urls: tuple[tuple[str, bool], ...] = ()
    queries: tuple[str, ...] = ()
    search_pages: tuple[str, ...] = ()
    score: float | None = None
    retrieved: bool = False


def shown(candidate: Candidate, report: WebReport) -> Candidate:
    """Return *candidate*, the last piece of it, with what *report* tells."""
    metadata = candidate.grounding_metadata or GroundingMetadata()
    entry = candidates.SearchEntryPoint(rendered_content=_rendered(report))
    metadata = msgspec.structs.replace(
        metadata,
        web_search_queries=report.queries,
        search_entry_point=entry if report.queries else None,
        retrieval_queries=metadata.retrieval_queries if report.retrieved else (),
        retrieval_metadata=None
        if report.score is None
        else candidates.RetrievalMetadata(
            google_search_dynamic_retrieval_score=round(report.score, 4)
        ),
    )
    return msgspec.structs.replace(
        candidate,
        grounding_metadata=metadata if metadata != GroundingMetadata() else None,
        url_context_metadata=_url_metadata(report),
    )


def _url_metadata(report: WebReport) -> candidates.UrlContextMetadata | None:
    if not report.urls:
        return None
    return candidates.UrlContextMetadata(
        url_metadata=tuple(
            candidates.UrlMetadata(
                retrieved_url=url,
                url_retrieval_status=UrlRetrievalStatus.URL_RETRIEVAL_STATUS_SUCCESS
                if read
                else UrlRetrievalStatus.URL_RETRIEVAL_STATUS_ERROR,
            )
            for url, read in report.urls
        )
    )


def _rendered(report: WebReport) -> str:
    """Return HTML with a link to each search: text and addresses only, all of it escaped."""
    links = "".join(
        f'<li><a href="{html.escape(page)}" rel="noopener noreferrer nofollow" target="_blank">'
        f"{html.escape(query)}</a></li>"
        for query, page in zip(report.queries, report.search_pages, strict=True)
    )
    return f'<ul class="colloquy-web-searches">{links}</ul>'
