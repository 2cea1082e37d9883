"""Read which of the web a request may be written from, and refuse what is not configured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.requests.field_effects import effective_requests
from service.answering.requests.field_effects.effects import Effect
from service.answering.requests.field_effects.generation import NO_PAGES, NO_SEARCH
from service.generation.generator import PastTurn
from sessions.errors import InvalidArgument
from sessions.resources import tools
from sessions.resources.tools import DynamicRetrievalMode

MAX_URLS: Final = 20
"""Pages that one request may name, as documented."""
THRESHOLD: Final = 0.3
"""How much a query must need the web to be searched for there, where a request does not say."""
_EXCLUDED: Final = 2_000
"""Domains that one request may exclude, as documented."""
_URL: Final = re.compile(r"https?://[^\s<>\"'`\[\]{}|\\^“”„«»]+", re.I)
_TRAILING: Final = ".,;:!?…。、"
_WORD: Final = re.compile(r"\w+")
_END: Final = re.compile(r"(?<=[.?!])\s+|\n+|(?<=[。？！])")
_EMPTY: Final = re.compile(r"\(\s*\)|\[\s*\]|<\s*>")
_SAYS_SOMETHING: Final = 4
"""Words besides an address with which a sentence asks something of its own."""
_OPENED: Final = {")": "(", "）": "（"}


class OfferedWeb(NamedTuple):
    """What of the web the operator has configured."""

    pages: bool = False
    search: bool = False


class WebSearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search of the web; with a *threshold* only for a query that needs it so much."""

    without: tuple[str, ...] = ()
    threshold: float | None = None


class WebTools(msgspec.Struct, frozen=True, kw_only=True):
    """The pages to read, which *reads_urls* tells to name in the contents, and the search."""

    reads_urls: bool = False
    search: WebSearch | None = None


def read(given: Sequence[tools.Tool], offered: OfferedWeb) -> WebTools | None:
    """Return what of the web the tools *given* want, None for nothing.

    Raises:
        InvalidArgument: the web is searched twice, or a field cannot be used; it is named.
        Unimplemented: the operator did not configure it.
    """
    reads_urls, search = False, None
    for at, tool in enumerate(given):
        for name, found in _searches(tool, f"tools[{at}]"):
            field = f"tools[{at}].{name}"
            if not offered.search:
                raise effective_requests.refusal(Effect.NOT_OFFERED, field, NO_SEARCH)
            if search is not None:
                raise InvalidArgument(f"{field}: the web is searched once", field=field)
            search = found
        if tool.url_context is not None:
            if not offered.pages:
                field = f"tools[{at}].urlContext"
                raise effective_requests.refusal(Effect.NOT_OFFERED, field, NO_PAGES)
            reads_urls = True
    wanted = reads_urls or search is not None
    return WebTools(reads_urls=reads_urls, search=search) if wanted else None


def urls_in(turns: Sequence[PastTurn], field: str) -> tuple[str, ...]:
    """Return the addresses that the user named: those of the last turn first, then earlier ones.

    Raises:
        InvalidArgument: the last turn names more than are read; *field* is where it stands.
    """
    last = list(dict.fromkeys(addresses(turns[-1].query)))
    if len(last) > MAX_URLS:
        raise InvalidArgument(f"{field}: name at most {MAX_URLS} addresses", field=field)
    earlier = (one for turn in reversed(turns[:-1]) for one in addresses(turn.query))
    return tuple(dict.fromkeys((*last, *earlier)))[:MAX_URLS]


def addresses(text: str) -> Iterator[str]:
    """Yield the addresses of pages in *text*, without what ends the sentence around them."""
    for found in _URL.finditer(text):
        yield _bare(found[0])


def without_addresses(text: str) -> str:
    """Return what *text* asks without the addresses in it, or as it is where that is nothing.

    Sentences that only bring an address, "See … or ….", are left out with it.
    """
    kept: list[str] = []
    for sentence in _sentences(text):
        rest = _URL.sub(lambda found: found[0][len(_bare(found[0])) :], sentence)
        if rest == sentence or len(_WORD.findall(rest)) >= _SAYS_SOMETHING:
            kept.append(_EMPTY.sub("", rest))
    asked = " ".join(" ".join(kept).split())
    return asked if _WORD.search(asked) else text


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences and lines of *text*; none ends within an address."""
    begin = 0
    for end in _END.finditer(text):
        yield text[begin : end.end()]
        begin = end.end()
    yield text[begin:]


def _bare(url: str) -> str:
    """Return *url* without the punctuation after it, and brackets that it does not open."""
    surplus = {end: url.count(end) - url.count(begin) for end, begin in _OPENED.items()}
    length = len(url)
    while (last := url[length - 1]) in _TRAILING or surplus.get(last, 0) > 0:
        surplus[last] = surplus.get(last, 0) - 1
        length -= 1
    return url[:length]


def _searches(tool: tools.Tool, field: str) -> Iterator[tuple[str, WebSearch]]:
    if tool.google_search is not None:
        domains = tool.google_search.exclude_domains
        if len(domains) > _EXCLUDED:
            where = f"{field}.googleSearch.excludeDomains"
            raise InvalidArgument(f"{where}: at most {_EXCLUDED}", field=where)
        yield "googleSearch", WebSearch(without=domains)
    if tool.google_search_retrieval is not None:
        config = tool.google_search_retrieval.dynamic_retrieval_config
        yield "googleSearchRetrieval", WebSearch(threshold=_threshold(config, field))


def _threshold(config: tools.DynamicRetrievalConfig | None, field: str) -> float | None:
    if config is None or config.mode is not DynamicRetrievalMode.MODE_DYNAMIC:
        return None
    if config.dynamic_threshold is None:
        return THRESHOLD
    if not 0 <= config.dynamic_threshold <= 1:
        where = f"{field}.googleSearchRetrieval.dynamicRetrievalConfig.dynamicThreshold"
        raise InvalidArgument(f"{where}: give 0 to 1", field=where)
    return config.dynamic_threshold
