"""Whose words in a message are masked, and which texts are left."""

from __future__ import annotations

import msgspec
import pytest

from service.redaction.redactor import KINDS, Redactor
from service.security import message_redaction
from service.security.message_redaction import SAID, MessageRedaction
from service.security.permissions import ResourceKind
from sessions.codec import json_codec
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.check_grounding import CheckGroundingRequest
from sessions.resources.documents import Document
from sessions.resources.generate_content import GenerateContentRequest
from sessions.resources.user_events import UserEvent

REDACTION = MessageRedaction(Redactor(KINDS))
MAIL = "ann@example.org"
OPERATORS = {
    *(ResourceKind.SUGGESTIONS, ResourceKind.DOCUMENTS, ResourceKind.DATA_STORES),
    *(ResourceKind.ENGINES, ResourceKind.CORPORA, ResourceKind.MODELS, ResourceKind.OPERATIONS),
    *(ResourceKind.CONFIGURATION, ResourceKind.USER_TOKENS, ResourceKind.USER_DATA),
    *(ResourceKind.VISITORS, ResourceKind.METRICS, ResourceKind.WIDGETS),
    *(ResourceKind.DOCUMENT_TEXTS, ResourceKind.READ_TOKENS),
}


def test_of_each_kind_of_resource_it_is_decided_whose_words_it_has() -> None:
    assert set(ResourceKind) - OPERATORS == SAID


def test_what_people_say_is_masked_and_what_names_things_is_not() -> None:
    body = {
        "query": {"text": f"I am {MAIL}", "queryId": MAIL},
        "session": f"projects/p/{MAIL}",
        "userPseudoId": MAIL,
        "searchSpec": {"searchParams": {"filter": f'author: ANY("{MAIL}")'}},
        "answerGenerationSpec": {"promptSpec": {"preamble": f"Name {MAIL}"}},
    }
    given = json_codec.decode(AnswerQueryRequest, msgspec.json.encode(body))
    masked = REDACTION.message("AnswerQuery", given)
    assert masked.query is not None
    assert masked.query.text == "I am [email]"
    kept = json_codec.encode(masked).decode().replace("I am [email]", f"I am {MAIL}")
    assert kept == json_codec.encode(given).decode()
    assert REDACTION.message("answer", masked) is masked


def test_free_values_are_masked_at_every_depth() -> None:
    part = {"functionResponse": {"name": "f", "response": {"a": [{"b": MAIL}], "n": 1}}}
    body = {"contents": [{"role": "user", "parts": [part]}], "systemInstruction": _told(MAIL)}
    given = json_codec.decode(GenerateContentRequest, msgspec.json.encode(body))
    masked = REDACTION.message("GenerateContent", given)
    response = masked.contents[0].parts[0].function_response
    assert response is not None
    assert response.response == {"a": [{"b": "[email]"}], "n": 1}
    assert masked.system_instruction == given.system_instruction


def test_an_event_tells_no_address_of_a_page_either() -> None:
    event = UserEvent(
        event_type="search",
        user_pseudo_id="u",
        page_info=None,
        attributes={},
    )
    assert REDACTION.message("WriteUserEvent", event) is event
    body = {
        "eventType": "search",
        "userPseudoId": "u",
        "searchInfo": {"searchQuery": MAIL},
        "pageInfo": {"uri": f"https://x.example/?mail={MAIL.replace('@', '%40')}"},
        "attributes": {"said": {"text": [MAIL]}},
        "feedback": {"comment": f"Tell {MAIL}"},
    }
    masked = REDACTION.message(
        "WriteUserEvent", json_codec.decode(UserEvent, msgspec.json.encode(body))
    )
    assert json_codec.encode(masked).decode().count("[email]") == 4


def test_sources_and_what_is_held_against_them_are_left() -> None:
    given = CheckGroundingRequest(answer_candidate=f"Write to {MAIL}.")
    assert REDACTION.message("CheckGrounding", given) is given


def test_what_an_operator_sets_up_is_left() -> None:
    document = Document(json_data=f'{{"contact": "{MAIL}"}}')
    assert REDACTION.message("CreateDocument", document) is document


@pytest.mark.parametrize("method", ["AnswerQuery", "converse"])
def test_without_a_choice_nothing_is_masked(method: str) -> None:
    given = json_codec.decode(AnswerQueryRequest, b'{"query": {"text": "ann@example.org"}}')
    assert MessageRedaction(Redactor()).message(method, given) is given


def test_a_method_that_is_open_to_anybody_says_nothing() -> None:
    assert not message_redaction.concerns("")


def _told(text: str) -> dict[str, object]:
    return {"parts": [{"text": text}]}
