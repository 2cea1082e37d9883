"""A chat begins with questions of the operator's choice, and never with hidden documents'."""

from __future__ import annotations

from typing import Any

import pytest

from service.answering.completion.listed_suggestions import Listed
from service.answering.completion.suggestion_table import Suggestion, SuggestionTable
from service.answering.completion.widget_config import WidgetConfigMethod
from service.corpus.document_access import Viewer
from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Contact, Portal
from service.thread_pools import ThreadPools
from sessions.resources.data_stores import DataStore
from sessions.resources.widget_configs import GetWidgetConfigRequest, WidgetConfig

pytestmark = pytest.mark.anyio

STORE = "projects/p/locations/l/collections/c/dataStores/help"
NOTHING = SuggestionTable(())


class _Listed:
    """What is suggested of one data store."""

    def __init__(self, documents: SuggestionTable, *, is_whole: bool = True) -> None:
        self._listed = Listed(documents, NOTHING, NOTHING, (), is_whole)

    async def of(self, data_store: str, viewer: Viewer) -> Listed:
        return self._listed


class _Asked:
    """What many people asked."""

    async def table(self, data_store: str, model: str) -> SuggestionTable:
        return SuggestionTable([Suggestion(text="Who asked this?", worth=9.0)])


class _Catalogue:
    """One data store."""

    async def data_stores(self, parent: str) -> list[str]:
        return [STORE]

    async def get_data_store(self, name: str) -> DataStore:
        return DataStore(display_name="Help")


async def config(
    portal: Portal, language: str = "", *documents: Suggestion, is_whole: bool = True
) -> WidgetConfig:
    listed: Any = _Listed(SuggestionTable(documents), is_whole=is_whole)
    asked: Any = _Asked()
    catalogue: Any = _Catalogue()
    method = WidgetConfigMethod(listed, asked, catalogue, portal, ThreadPools().reading)
    request = GetWidgetConfigRequest(
        name=f"{STORE}/widgetConfigs/default_search_widget_config", language_code=language
    )
    return await method.get(request, Viewer())


async def test_the_operator_says_what_is_offered_and_in_which_language() -> None:
    policy = DataStorePolicy(
        name="help",
        starter_questions=({"en": "Is there a fee?", "de": "Kostet es etwas?"}, "¿Hola?"),
        languages=("de", "en"),
    )
    portal = Portal(name="Riverton", data_stores=(policy,))
    found = await config(portal, "de-AT", Suggestion(text="Is this one hidden?"))
    assert found.starter_questions == ("Kostet es etwas?", "¿Hola?")
    assert (found.display_name, found.language_codes) == ("Riverton", ("de", "en"))


async def test_questions_are_those_that_many_ask_and_one_of_each_document() -> None:
    documents = [
        Suggestion(text="Fees", document="a", is_title=True),
        Suggestion(text="What is the fee of this?", document="a"),
        Suggestion(text="What is the fee?", document="a"),
        Suggestion(text="Who pays it?", document="b"),
        Suggestion(text="Is " + "x" * 80 + "?", document="c"),
        Suggestion(text="¿Qué?", document="d"),
    ]
    found = await config(Portal(), "", *documents)
    assert found.starter_questions == ("Who asked this?", "What is the fee?", "Who pays it?")
    assert found.display_name == "Help"


async def test_to_whom_documents_are_hidden_nobody_says_what_others_asked() -> None:
    found = await config(Portal(), "", is_whole=False)
    assert found.starter_questions == ()


@pytest.mark.parametrize(
    ("contact", "wanted"),
    [
        (Contact(), None),
        (Contact(url={"en": "https://a.example/en", "de": "https://a.example/de"}), "/de"),
        (Contact(email="help@a.example", text="Write."), "mailto:help@a.example"),
        (Contact(phone="+1 555 (0100)"), "tel:+15550100"),
    ],
)
async def test_the_contact_is_an_address_that_opens(contact: Contact, wanted: str | None) -> None:
    found = (await config(Portal(contact=contact), "de")).contact
    assert (found and found.uri.endswith(wanted or "-")) == (None if wanted is None else True)
