"""The configuration of a chat over REST, against a running service."""

from __future__ import annotations

from tests.clients import discovery
from tests.clients.discovery import Api, Service

CONFIG = "widgetConfigs/default_search_widget_config"
PAGE = "# Parking\n\n## What does parking cost?\n\nIt costs 2 euros.\n\n## Fines\n\nThey are high."


def test_questions_come_from_the_documents(service: Service, v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("a", PAGE), v1.document("b", PAGE.replace("parking", "a stay")))
    found = discovery.call(f"{service.url}/v1/{store}/{CONFIG}").body
    assert found["name"] == f"{store}/{CONFIG}"
    assert found["starterQuestions"] == ["What does parking cost?", "What does a stay cost?"]
    assert "contact" not in found
    engine = v1.engine([store.rpartition("/")[2]])
    of_engine = discovery.call(f"{service.url}/v1/{engine}/{CONFIG}").body
    assert of_engine["starterQuestions"] == found["starterQuestions"]


def test_a_chat_is_of_a_data_store_that_is_there(service: Service, v1: Api) -> None:
    store = v1.data_store()
    assert discovery.call(f"{service.url}/v1/{store}x/{CONFIG}").status == 404
    assert discovery.call(f"{service.url}/v1/{store}/widgetConfigs/x").status == 404
    reply = discovery.call(f"{service.url}/v1/{store}/{CONFIG}?languageCode={'x' * 36}")
    assert (reply.status, reply.body["error"]["message"].partition(":")[0]) == (400, "languageCode")
