"""The older generation clients: numbers for enums, a JSON array for a stream."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients.aiplatform import FEES, Rag
from tests.clients.discovery import Service

EXPRESS = "What does the express service cost?"
SAID = "The express service costs 35 € more."


@pytest.fixture(params=["v1", "v1beta1"])
def rag(request: Any, service: Service) -> Rag:
    return Rag(request.param, service.url)


def request(rag: Rag, text: str = EXPRESS, **fields: Any) -> Any:
    return rag.types.GenerateContentRequest(
        model=f"{rag.location}/publishers/google/models/gemini-1.5-flash@001",
        contents=[rag.content(text)],
        **fields,
    )


def test_a_content_is_written_from_a_corpus(rag: Rag) -> None:
    tool = rag.tool(rag.corpus(fees=FEES))
    reply = rag.client("PredictionService").generate_content(request(rag, tools=[tool]))
    (candidate,) = reply.candidates
    text = candidate.content.parts[0].text
    assert SAID in text
    assert candidate.finish_reason.name == "STOP"
    for support in candidate.grounding_metadata.grounding_supports:
        segment = support.segment
        cut = text.encode()[segment.start_index : segment.end_index]
        assert cut.decode() == segment.text
        assert list(support.grounding_chunk_indices) == [0]
    usage = reply.usage_metadata
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count


def test_harm_is_rated_by_its_levels(rag: Rag) -> None:
    letter = "The angry letter ends with the words go to hell."
    poster = "The rude poster says that you are pathetic."
    setting = {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}
    tool = rag.tool(rag.corpus(letter=letter, poster=poster))
    for query, level in (
        ("How does the angry letter end?", "LOW"),
        ("What does the rude poster say?", "MEDIUM"),
    ):
        asked = request(rag, query, tools=[tool], safety_settings=[setting])
        (candidate,) = rag.client("PredictionService").generate_content(asked).candidates
        rated = {one.category.name: one for one in candidate.safety_ratings}
        harassment = rated["HARM_CATEGORY_HARASSMENT"]
        assert harassment.probability.name == level
        assert harassment.severity.name == f"HARM_SEVERITY_{level}"
        assert not harassment.blocked


def test_a_stream_is_an_array_of_pieces(rag: Rag) -> None:
    tool = rag.tool(rag.corpus(fees=FEES))
    stream = rag.client("PredictionService").stream_generate_content(request(rag, tools=[tool]))
    pieces = [piece.candidates[0] for piece in stream]
    text = "".join(piece.content.parts[0].text for piece in pieces)
    assert SAID in text
    assert [piece.finish_reason.name for piece in pieces[-2:]] == [
        "FINISH_REASON_UNSPECIFIED",
        "STOP",
    ]
    assert pieces[-1].grounding_metadata.grounding_supports


def test_what_is_refused_is_refused_before_the_stream(rag: Rag) -> None:
    config = {"temperature": 3.0}
    client = rag.client("PredictionService")
    with pytest.raises(exceptions.BadRequest, match=r"generationConfig\.temperature"):
        client.stream_generate_content(request(rag, generation_config=config))
    with pytest.raises(exceptions.NotFound):
        client.generate_content(request(rag, tools=[rag.tool(f"{rag.location}/ragCorpora/1")]))


def test_tokens_are_counted_and_cut(rag: Rag) -> None:
    endpoint = f"{rag.location}/publishers/google/models/gemini-1.5-flash"
    contents = [rag.content("É claro.")]
    counting = "PredictionService" if rag.version == "v1beta1" else "LlmUtilityService"
    counted = rag.client(counting).count_tokens(
        rag.types.CountTokensRequest(endpoint=endpoint, model=endpoint, contents=contents)
    )
    assert (counted.total_tokens, counted.total_billable_characters) == (3, 7)
    computed = rag.client("LlmUtilityService").compute_tokens(
        rag.types.ComputeTokensRequest(endpoint=endpoint, model=endpoint, contents=contents)
    )
    (info,) = computed.tokens_info
    assert b"".join(info.tokens).decode() == "É claro."


def test_models_are_in_no_order(rag: Rag) -> None:
    assert rag.call("publishers/google/models?filter=a").status == 400
    assert rag.call("publishers/google/models?nothing=a").status == 400
    (model,) = rag.call(f"{rag.location}/publishers/x/models").body["publisherModels"]
    assert model["name"] == "publishers/x/models/extractive"


def test_models_are_read_and_listed(rag: Rag) -> None:
    client = rag.client("ModelGardenService")
    read = client.get_publisher_model(name="publishers/google/models/gemini-1.5-flash@001")
    assert (read.name, read.version_id) == ("publishers/google/models/gemini-1.5-flash@001", "001")
    assert read.launch_stage.name == "GA"
    if rag.version == "v1beta1":
        listed = client.list_publisher_models(parent="publishers/google")
        assert [model.name for model in listed] == ["publishers/google/models/extractive"]
