"""A field is described as its message means it, with what becomes of it in a request."""

from __future__ import annotations

from service.api.pages import field_descriptions
from sessions.resources.answer_query import AnswerQueryRequest, PromptSpec
from sessions.resources.documents import Document
from sessions.resources.search_requests import SearchRequest


def test_a_message_of_its_own_meaning_comes_before_the_name() -> None:
    general = field_descriptions.of_field(PromptSpec, "content")
    assert field_descriptions.of_field(Document, "content") != general
    assert "…/sessions/-" in field_descriptions.of_field(AnswerQueryRequest, "session")


def test_what_becomes_of_a_field_is_what_requests_are_held_to() -> None:
    assert field_descriptions.of_field(SearchRequest, "query") == "What is asked."
    told = field_descriptions.of_field(SearchRequest, "regionCode")
    assert told.endswith("Accepted without effect: results are the same for everybody.")


def test_unknown_names_have_no_description() -> None:
    assert field_descriptions.of_field(SearchRequest, "nothing") == ""
    assert field_descriptions.of_path("nothing") == ""
    assert field_descriptions.of_path("session").startswith("Id of the session")
    assert field_descriptions.of_header("Last-Event-ID").startswith("Id of the last")
