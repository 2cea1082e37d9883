"""Text in a form that was asked for, as the official client asks for and reads it."""

from __future__ import annotations

import enum
from typing import Any, Final

import pydantic
import pytest

from tests import doubles
from tests.clients.aiplatform import Rag
from tests.clients.writing import MODEL, Writing
from tests.doubles import stream
from tests.packages import Package

types = Package("google.genai.types")
errors = Package("google.genai.errors")

JSON: Final = "application/json"
QUERY: Final = "What does a renewal cost?"


class Fee(pydantic.BaseModel):
    """A fee, as a program wants it."""

    euros: int = pydantic.Field(ge=0)
    note: str | None = None


class Payment(enum.Enum):
    """How a fee is paid."""

    CARD = "card"
    CASH = "cash"


def test_a_model_is_asked_for_what_the_program_parses(writing: Writing) -> None:
    fenced = stream("<think>{}?</think>", "```json\n", '{"euros": 80}', "\n```")
    reply = writing.ask(QUERY, fenced, response_mime_type=JSON, response_schema=Fee)
    assert reply.parsed == Fee(euros=80)
    assert reply.text == '{"euros": 80}'
    told = writing.told["response_format"]
    assert told["type"] == "json_schema"
    schema = told["json_schema"]["schema"]
    assert schema["properties"]["euros"]["type"] == "integer"
    assert schema["properties"]["euros"]["minimum"] == 0
    assert schema["required"] == ["euros"]
    assert list(schema["properties"]) == ["euros", "note"]
    assert '"euros"' in writing.told["messages"][0]["content"]


def test_a_list_is_asked_for_within_an_object(writing: Writing) -> None:
    answer = stream('{"answer": [{"euros": 80}, {"euros": 40}]}')
    reply = writing.ask(QUERY, answer, response_mime_type=JSON, response_schema=list[Fee])
    assert [fee.euros for fee in reply.parsed] == [80, 40]
    assert writing.told["response_format"]["json_schema"]["schema"]["required"] == ["answer"]


def test_a_json_schema_and_json_of_any_kind(writing: Writing) -> None:
    config = {"response_mime_type": JSON, "response_json_schema": Fee.model_json_schema()}
    assert writing.ask(QUERY, stream('{"euros": 1}'), **config).text == '{"euros": 1}'
    reply = writing.ask(QUERY, stream("Here: [1, 2]"), response_mime_type=JSON)
    assert reply.text == "[1, 2]"
    assert writing.told["response_format"] == {"type": "json_object"}


def test_one_word_of_a_list(writing: Writing) -> None:
    config = {"response_mime_type": "text/x.enum", "response_schema": Payment}
    reply = writing.ask(QUERY, stream('{"answer": "card"}'), **config)
    assert (reply.text, reply.parsed) == ("card", Payment.CARD)


def test_a_misfit_is_repaired_once(writing: Writing) -> None:
    replies = stream('{"euros": "80"}'), stream('{"euros": 80}')
    reply = writing.ask(QUERY, *replies, response_mime_type=JSON, response_schema=Fee)
    assert reply.parsed == Fee(euros=80)
    *_, correction = writing.told["messages"]
    assert 'not of type "integer" (at /euros)' in correction["content"]


def test_what_is_still_no_fit_is_told_with_what_is_wrong(writing: Writing) -> None:
    reply = writing.ask(QUERY, stream("80"), response_mime_type=JSON, response_schema=Fee)
    (candidate,) = reply.candidates
    assert candidate.finish_reason is types.FinishReason.OTHER
    assert 'not of type "object"' in candidate.finish_message
    assert candidate.content.parts[0].text == "80"
    assert len(writing.model.asked) == 2


def test_a_stream_is_told_when_it_fits(writing: Writing) -> None:
    replies = stream('{"eu', "ros"), stream('{"eu', 'ros": 80}')
    chunks = writing.stream(QUERY, *replies, response_mime_type=JSON, response_schema=Fee)
    assert "".join(chunk.text or "" for chunk in chunks) == '{"euros": 80}'
    assert chunks[-1].candidates[0].finish_reason is types.FinishReason.STOP


def test_an_endpoint_that_knows_no_forms_is_told_in_words(writing: Writing) -> None:
    refused = doubles.status(400, error={"message": "no grammar for this"})
    replies = refused, refused, stream('{"euros": 80}')
    reply = writing.ask(QUERY, *replies, response_mime_type=JSON, response_schema=Fee)
    assert reply.parsed == Fee(euros=80)
    assert "response_format" not in writing.told


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_the_older_client_asks_for_a_form_as_well(writing: Writing, version: str) -> None:
    """It writes enums by number and counts as strings."""
    rag = Rag(version, writing.url)
    writing.model.script(stream('{"name": "A"}'), stream('{"name": "Ada"}'))
    name = rag.types.Schema(type_="STRING", min_length=2, nullable=True)
    schema = rag.types.Schema(type_="OBJECT", properties={"name": name}, required=["name"])
    request = rag.types.GenerateContentRequest(
        model=f"{rag.location}/publishers/google/models/{MODEL}",
        contents=[rag.content(QUERY)],
        generation_config={"response_mime_type": JSON, "response_schema": schema},
    )
    reply = rag.client("PredictionService").generate_content(request)
    assert reply.candidates[0].content.parts[0].text == '{"name": "Ada"}'
    told = writing.told["response_format"]["json_schema"]["schema"]["properties"]["name"]
    assert told == {"type": ["string", "null"], "minLength": 2}


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"response_mime_type": "text/html"}, "responseMimeType"),
        ({"response_json_schema": {"type": "object"}}, "responseJsonSchema"),
        (
            {
                "response_mime_type": JSON,
                "response_json_schema": {"$ref": "http://169.254.169.254/"},
            },
            "responseJsonSchema",
        ),
    ],
)
def test_what_cannot_be_written_is_refused_by_its_path(
    writing: Writing, config: dict[str, Any], field: str
) -> None:
    with pytest.raises(errors.ClientError) as refusal:
        writing.ask(QUERY, **config)
    assert refusal.value.code == 400
    assert refusal.value.message.startswith(f"generationConfig.{field}: ")


def test_a_text_with_sources_has_no_form(writing: Writing) -> None:
    corpus = f"{Rag('v1', writing.url).location}/ragCorpora/1"
    store = types.VertexRagStore(rag_resources=[types.VertexRagStoreRagResource(rag_corpus=corpus)])
    tool = types.Tool(retrieval=types.Retrieval(vertex_rag_store=store))
    with pytest.raises(errors.ClientError, match="with sources is plain text"):
        writing.ask(QUERY, tools=[tool], response_mime_type=JSON)
