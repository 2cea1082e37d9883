"""Functions that a model calls, as the official clients declare, read and answer them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests import doubles
from tests.clients.aiplatform import Rag
from tests.clients.writing import MODEL, Writing
from tests.doubles import calling, stream
from tests.packages import Package

types = Package("google.genai.types")
errors = Package("google.genai.errors")

QUERY: Final = "What does a renewal cost on Monday?"
SCHEMA: Final = {
    "type": "OBJECT",
    "properties": {"day": {"type": "STRING"}, "adult": {"type": "BOOLEAN"}},
    "required": ["day"],
}
FEE: Final = {"name": "fee", "description": "Tells a fee.", "parameters": SCHEMA}
HOURS: Final[dict[str, Any]] = {
    "name": "hours",
    "parameters_json_schema": {"type": "object", "properties": {"day": {}}},
}
TOOL: Final[dict[str, Any]] = {"function_declarations": [FEE, HOURS]}
MONDAY: Final = '{"day": "Monday", "adult": true}'
MANUAL: Final = {"automatic_function_calling": {"disable": True}}


def config(mode: str, *names: str, **more: Any) -> Any:
    calls = types.FunctionCallingConfig(mode=mode, allowed_function_names=list(names) or None)
    return {"tools": [TOOL], "tool_config": {"function_calling_config": calls}} | MANUAL | more


def test_a_model_calls_the_functions_that_were_declared(writing: Writing) -> None:
    replies = calling(("fee", MONDAY), ("hours", "{}"), text="Let me see.")
    reply = writing.ask(QUERY, replies, tools=[TOOL], **MANUAL)
    (candidate,) = reply.candidates
    said, *_ = candidate.content.parts
    assert said.text == "Let me see."
    first, second = reply.function_calls
    assert (first.id, first.name, first.args) == (
        "call_0",
        "fee",
        {"day": "Monday", "adult": True},
    )
    assert (second.id, second.name, second.args or {}) == ("call_1", "hours", {})
    assert candidate.finish_reason is types.FinishReason.STOP
    fee, hours = (tool["function"] for tool in writing.told["tools"])
    assert (fee["name"], fee["description"]) == ("fee", "Tells a fee.")
    assert fee["parameters"]["properties"]["adult"] == {"type": "boolean"}
    assert hours["parameters"] == {"type": "object", "properties": {"day": {}}}
    assert "tool_choice" not in writing.told
    assert reply.usage_metadata.candidates_token_count > 10


@pytest.mark.parametrize("guarded", [False, True])
def test_a_stream_brings_calls_whole(writing: Writing, *, guarded: bool) -> None:
    """With guards it does so even where arguments in parts are asked for."""
    streamed = types.FunctionCallingConfig(mode="AUTO", stream_function_call_arguments=True)
    guard = {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_LOW_AND_ABOVE"}
    guards = {
        "safety_settings": [guard],
        "tool_config": types.ToolConfig(function_calling_config=streamed),
    }
    config: Any = MANUAL | (guards if guarded else {})
    chunks = writing.stream(QUERY, calling(("fee", MONDAY)), tools=[TOOL], **config)
    calls = [call for chunk in chunks for call in chunk.function_calls or ()]
    assert [(call.name, call.args["day"]) for call in calls] == [("fee", "Monday")]


def fee(day: str, adult: bool = True) -> dict[str, Any]:
    """Tell the fee of a day."""
    return {"euros": 80 if adult else 40, "day": day}


def test_the_client_calls_by_itself_and_tells_the_model_what_came_of_it(writing: Writing) -> None:
    reply = writing.ask(QUERY, calling(("fee", MONDAY)), stream("80 euros."), tools=[fee])
    assert reply.text == "80 euros."
    *_, called, returned = writing.told["messages"]
    assert called == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "type": "function",
                "id": "call_0",
                "function": {"name": "fee", "arguments": '{"day":"Monday","adult":true}'},
            }
        ],
    }
    assert (returned["role"], returned["tool_call_id"]) == ("tool", "call_0")
    assert '"euros":80' in returned["content"]
    history = reply.automatic_function_calling_history
    assert writing.client.models.count_tokens(model=MODEL, contents=history).total_tokens > 30


def test_a_chat_goes_on_after_a_call(writing: Writing) -> None:
    writing.model.script(
        calling(("hours", "{}"), ("hours", '{"day": 1}'), ids=False),
        stream("At nine."),
        stream("Yes."),
    )
    chat = writing.client.chats.create(
        model=MODEL, config=types.GenerateContentConfig(tools=[TOOL], **MANUAL)
    )
    calls = chat.send_message(QUERY).function_calls
    assert len({call.id for call in calls}) == 2
    parts = [types.Part.from_function_response(name="hours", response={"at": 9})] * 2
    assert chat.send_message(parts).text == "At nine."
    assert chat.send_message("Really?").text == "Yes."
    roles = [message["role"] for message in writing.told["messages"]]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "user"]


@pytest.mark.parametrize(
    ("mode", "names", "choice", "offered"),
    [
        ("AUTO", (), None, ["fee", "hours"]),
        ("ANY", (), "required", ["fee", "hours"]),
        ("ANY", ("fee",), {"type": "function", "function": {"name": "fee"}}, ["fee"]),
        ("VALIDATED", ("fee",), None, ["fee"]),
    ],
)
def test_a_mode_says_what_is_called(
    writing: Writing, mode: str, names: tuple[str, ...], choice: Any, offered: list[str]
) -> None:
    reply = writing.ask(QUERY, calling(("fee", MONDAY)), **config(mode, *names))
    assert reply.function_calls[0].name == "fee"
    assert writing.told.get("tool_choice") == choice
    assert [tool["function"]["name"] for tool in writing.told["tools"]] == offered


@pytest.mark.parametrize(
    ("mode", "reply", "reason", "told"),
    [
        ("AUTO", calling(("fee", '{"day": ')), "MALFORMED_FUNCTION_CALL", "no JSON object"),
        ("VALIDATED", calling(("fee", "{}")), "MALFORMED_FUNCTION_CALL", '"day" is a required'),
        ("ANY", stream("80 euros."), "MALFORMED_FUNCTION_CALL", "had to call a function"),
        ("AUTO", calling(("delete", "{}")), "UNEXPECTED_TOOL_CALL", "not offered: delete"),
        ("NONE", calling(("fee", MONDAY)), "UNEXPECTED_TOOL_CALL", "not offered: fee"),
    ],
)
def test_a_call_that_cannot_be_made_ends_the_candidate(
    writing: Writing, mode: str, reply: Any, reason: str, told: str
) -> None:
    (candidate,) = writing.ask(QUERY, reply, **config(mode)).candidates
    assert candidate.finish_reason.name == reason
    assert told in candidate.finish_message
    assert not any(part.function_call for part in candidate.content.parts or ())
    assert ("tools" in writing.told) == (mode != "NONE")


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_the_older_client_reads_calls_as_they_are_written(writing: Writing, version: str) -> None:
    """Values come by their paths, long texts in parts; what is no call is told at the end."""
    rag = Rag(version, writing.url)
    arguments = '{"day": "Monday", "adult": true, "age": 41.5, "list": [null]}'
    writing.model.script(calling(("fee", arguments)))
    declaration = rag.types.FunctionDeclaration(name="fee", parameters=SCHEMA)
    request = rag.types.GenerateContentRequest(
        model=f"{rag.location}/publishers/google/models/{MODEL}",
        contents=[rag.content(QUERY)],
        tools=[rag.types.Tool(function_declarations=[declaration])],
        tool_config=rag.types.ToolConfig(
            function_calling_config={"mode": "AUTO", "stream_function_call_arguments": True}
        ),
    )
    client = rag.client("PredictionService")
    pieces = list(client.stream_generate_content(request))
    calls = [part.function_call for piece in pieces for part in piece.candidates[0].content.parts]
    assert calls[0].name == "fee"
    assert [call.will_continue for call in calls] == [True] * (len(calls) - 1) + [False]
    args = [arg for call in calls for arg in call.partial_args]
    day = [arg for arg in args if arg.json_path == "$.day"]
    assert "".join(arg.string_value for arg in day) == "Monday"
    assert [arg.will_continue for arg in day][-1] is False
    others = {arg.json_path: rag.types.PartialArg.pb(arg).WhichOneof("delta") for arg in args}
    assert others == {
        "$.day": "string_value",
        "$.adult": "bool_value",
        "$.age": "number_value",
        "$.list[0]": "null_value",
    }
    whole = client.generate_content(request).candidates[0].content.parts[0].function_call
    assert whole.args["age"] == 41.5
    assert not whole.partial_args


def refused(writing: Writing, contents: Any = QUERY, **fields: Any) -> str:
    with pytest.raises(errors.ClientError) as refusal:
        writing.ask(contents, **fields)
    assert refusal.value.code == 400
    return str(refusal.value.message)


def test_what_cannot_be_called_is_refused_by_its_path(writing: Writing) -> None:
    corpus = f"{Rag('v1', writing.url).location}/ragCorpora/1"
    store = types.VertexRagStore(rag_resources=[types.VertexRagStoreRagResource(rag_corpus=corpus)])
    both = [TOOL, types.Tool(retrieval=types.Retrieval(vertex_rag_store=store))]
    assert "do not go together" in refused(writing, tools=both, **MANUAL)
    wrong = {"function_calling_config": {"mode": "ANY", "allowed_function_names": ["fees"]}}
    said = refused(writing, tools=[TOOL], tool_config=wrong, **MANUAL)
    assert said.startswith("toolConfig.functionCallingConfig.allowedFunctionNames[0]: ")
    called = types.Content(role="model", parts=[types.Part.from_function_call(name="fee", args={})])
    said = refused(writing, [QUERY, called, "And?"], tools=[TOOL], **MANUAL)
    assert said.startswith("contents[2].parts: give a functionResponse for each")


def test_a_model_without_functions_is_told_of(writing: Writing) -> None:
    error = {"message": "gemma does not support tools"}
    with pytest.raises(errors.ClientError) as refusal:
        writing.ask(QUERY, doubles.status(400, error=error), tools=[TOOL], **MANUAL)
    assert refusal.value.details["error"]["details"][0]["reason"] == "MODEL_TAKES_NO_FUNCTIONS"
