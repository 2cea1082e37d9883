"""Tell a chat on a page what it begins with: a title, questions to start from, and a contact."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Final

from service.answering.completion import listed_suggestions
from service.answering.completion.listed_suggestions import Denied, ListedSuggestions
from service.answering.completion.popular_phrases import BOTH, PopularPhrases
from service.answering.completion.suggestion_table import Suggestion, SuggestionTable
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.portal.localized_text import in_language
from service.portal.portal import Contact, Portal
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources.widget_configs import GetWidgetConfigRequest, WidgetConfig, WidgetContact

MOST: Final = 4
"""Questions that are made up: as many as a phone shows without scrolling."""
_LONGEST: Final = 80
"""Characters of a question that a button shows."""
_SHORTEST: Final = 8
_ASKS: Final = ("?", "\uff1f", "\u061f", "\u037e")
"""The marks of questions: also the full-width, the Arabic and the Greek one."""
_LONGEST_TAG: Final = 35
"""Characters of a language tag that every program has to bear (RFC 5646, 4.4.1)."""


class WidgetConfigMethod:
    """Makes the configuration of the chat of a data store or engine."""

    def __init__(
        self,
        listed: ListedSuggestions,
        asked: PopularPhrases,
        catalogue: Catalogue,
        portal: Portal,
        pool: ThreadPool,
    ) -> None:
        self._listed = listed
        self._asked = asked
        self._catalogue = catalogue
        self._portal = portal
        self._pool = pool

    async def get(self, request: GetWidgetConfigRequest, viewer: Viewer) -> WidgetConfig:
        """Return it for *viewer*, who is shown no question from a document that is hidden.

        Raises:
            NotFound: there is no such data store or engine.
            InvalidArgument: (``languageCode``) it is too long.
        """
        if len(request.language_code) > _LONGEST_TAG:
            field = "languageCode"
            raise InvalidArgument(f"{field}: give a tag such as de or pt-BR", field=field)
        parent = names.store_of(request.name)
        data_stores = await self._catalogue.data_stores(parent)
        policies = [one for each in (parent, *data_stores) if (one := self._portal.policy(each))]
        given = next((one.starter_questions for one in policies if one.starter_questions), None)
        if given is None:
            questions = await self._made(data_stores, viewer)
        else:
            questions = tuple(in_language(each, request.language_code) for each in given)
        return WidgetConfig(
            name=request.name,
            display_name=self._portal.name or await self._display_name(parent),
            starter_questions=questions,
            contact=_contact(self._portal.contact, request.language_code),
            language_codes=next((one.languages for one in policies if one.languages), ()),
        )

    async def _display_name(self, parent: str) -> str:
        if "/engines/" in parent:
            return (await self._catalogue.get_engine(parent)).display_name
        return (await self._catalogue.get_data_store(parent)).display_name

    async def _made(self, data_stores: Sequence[str], viewer: Viewer) -> tuple[str, ...]:
        """Return questions that operators suggest, that many asked, and that documents answer."""
        tables, denied = list[SuggestionTable](), list[Denied]()
        for data_store in data_stores:
            listed = await self._listed.of(data_store, viewer)
            denied += listed.denied
            tables.append(listed.operator)
            if listed.is_whole:
                tables.append(await self._asked.table(data_store, BOTH))
            tables.append(listed.documents)
        return await self._pool.run(_questions, tables, denied)


def _questions(tables: Sequence[SuggestionTable], denied: Sequence[Denied]) -> tuple[str, ...]:
    """Return the best questions of *tables*, from each document one."""
    found = (one for table in tables for one in _best(table, denied))
    # What many ask comes first; of documents, whatever stands first in the order of their names.
    best = heapq.nlargest(MOST, found, key=lambda one: one.worth)
    return tuple(dict.fromkeys(each.text for each in best))


def _best(table: SuggestionTable, denied: Sequence[Denied]) -> list[Suggestion]:
    documents = set[str]()
    asking: Iterator[Suggestion] = (
        each
        for each in table.all()
        if _asks(each) and not listed_suggestions.is_denied(each.text, denied)
    )
    ordered = heapq.nsmallest(
        10 * MOST, asking, key=lambda one: (-one.worth, one.document, len(one.text), one.text)
    )
    best: list[Suggestion] = []
    for one in ordered:
        if not one.document or one.document not in documents:
            documents.add(one.document)
            best.append(one)
    return best[:MOST]


def _asks(suggestion: Suggestion) -> bool:
    text = suggestion.text
    return _SHORTEST <= len(text) <= _LONGEST and text.endswith(_ASKS)


def _contact(contact: Contact, language: str) -> WidgetContact | None:
    """Return how to reach a person, None where the operator named no way."""
    if contact == Contact():
        return None
    uri = in_language(contact.url, language) if contact.url else ""
    if not uri and contact.email:
        uri = f"mailto:{contact.email}"
    if not uri and contact.phone:
        uri = "tel:" + "".join(each for each in contact.phone if each.isdigit() or each == "+")
    text = in_language(contact.text, language) if contact.text else ""
    return WidgetContact(text=text, uri=uri)
