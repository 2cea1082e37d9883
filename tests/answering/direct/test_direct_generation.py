"""Candidates by a model alone: their pieces, ends, guards and failures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from service.answering.direct.direct_generation import DirectGeneration
from service.answering.direct.direct_prompt import DirectPrompt
from service.answering.requests.response_formats import ResponseFormat
from service.generation.chat_model.chat_requests import (
    ChatMessage,
    ChatRequest,
    ImagePart,
    ImageUrl,
)
from service.generation.generator import Usage
from service.generation.stop_sequences import TextEnd
from service.portal.portal import Portal
from sessions.errors import InvalidArgument, ServiceError
from sessions.resources.answer_query import HarmBlockThreshold, SafetySetting, SafetySpec
from sessions.resources.answers import HarmCategory
from sessions.resources.candidates import Candidate, FinishReason, PromptFeedback
from tests.answering.direct.directing import directing
from tests.answering.direct.test_candidate_calls import FUNCTIONS
from tests.doubles import DONE, calling, chunks, data, event, status, stream
from tests.waiting import LONG

pytestmark = pytest.mark.anyio
PROMPT = DirectPrompt(request=ChatRequest(messages=(ChatMessage("user", "Say something."),)))
GUARDED = msgspec.structs.replace(
    PROMPT,
    rates=True,
    safety_spec=SafetySpec(
        enable=True,
        safety_settings=(
            SafetySetting(
                category=HarmCategory.HARM_CATEGORY_HARASSMENT,
                threshold=HarmBlockThreshold.BLOCK_LOW_AND_ABOVE,
            ),
        ),
    ),
)
INSULT = "You are a worthless idiot and I will kill you."

Piece = Candidate | PromptFeedback | Usage


async def written(
    direct: DirectGeneration, prompt: DirectPrompt = PROMPT, end: TextEnd | None = None
) -> list[Piece]:
    return [piece async for piece in direct.candidate(prompt, 0, end or TextEnd())]


def told(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Return the text and the finish reason of each piece of a candidate."""
    return [
        ("".join(part.text or "" for part in one.content.parts), one.finish_reason.name)
        for one in pieces
        if isinstance(one, Candidate) and one.content
    ]


def joined(pieces: Sequence[Piece]) -> tuple[str, str]:
    """Return the whole text of a candidate, and why it ended."""
    texts = told(pieces)
    return "".join(text for text, _ in texts), texts[-1][1]


async def test_thoughts_in_the_text_are_not_told() -> None:
    async with directing(stream("<think>Hm, what?</think>", "Four.")) as (_, direct):
        assert told(await written(direct)) == [("Four.", "STOP")]


async def test_what_the_endpoint_counted_comes_before_the_last_piece() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    events = [data(event("Hi.")), data(event(finish_reason="stop"))]
    counted = data({"choices": [], "usage": usage})
    async with directing(chunks([*events, counted, DONE])) as (_, direct):
        *_, found, last = await written(direct)
    assert found == Usage(prompt=9, completion=2)
    assert isinstance(last, Candidate)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", "STOP"),
        ("length", "MAX_TOKENS"),
        ("eos_token", "STOP"),
        ("MAX_TOKENS", "MAX_TOKENS"),
        ("OTHER", "OTHER"),
    ],
)
async def test_a_text_ends_for_the_reason_that_the_model_says(said: str, reason: str) -> None:
    async with directing(stream("One, ", "two", finish_reason=said)) as (_, direct):
        assert joined(await written(direct)) == ("One, two", reason)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("content_filter", "SAFETY"),
        ("content_filter: RECITATION", "RECITATION"),
        ("PROHIBITED_CONTENT", "PROHIBITED_CONTENT"),
        ("content_filter: SPII", "SPII"),
        ("BLOCKLIST", "BLOCKLIST"),
    ],
)
async def test_a_text_that_the_endpoint_filtered_ends_in_an_empty_piece(
    said: str, reason: str
) -> None:
    async with directing(stream("One, ", "two", finish_reason=said)) as (_, direct):
        pieces = await written(direct)
    assert joined(pieces) == ("One, two", reason)
    assert told(pieces)[-1] == ("", reason)
    assert isinstance(pieces[-1], Candidate)
    assert pieces[-1].finish_message


async def test_a_stop_sequence_ends_the_text_and_the_request() -> None:
    async with directing(stream("One, two; ", "three.")) as (server, direct):
        assert joined(await written(direct, end=TextEnd([";"]))) == ("One, two", "STOP")
    assert len(server.asked) == 1


async def test_a_harmful_text_is_withheld_where_that_is_guarded() -> None:
    async with directing(stream("Well: ", INSULT)) as (_, direct):
        assert joined(await written(direct)) == (f"Well: {INSULT}", "STOP")
        (piece,) = await written(direct, GUARDED)
    assert told([piece]) == [("", "SAFETY")]
    assert isinstance(piece, Candidate)
    assert any(rating.blocked for rating in piece.safety_ratings)


async def test_a_filtered_text_that_was_withheld_is_not_told() -> None:
    async with directing(stream(INSULT, finish_reason="content_filter")) as (_, direct):
        (piece,) = await written(direct, GUARDED)
    assert told([piece]) == [("", "SAFETY")]


async def test_a_phrase_that_the_operator_bans_is_not_told() -> None:
    portal = Portal(banned_phrases=("Project Falcon",))
    async with directing(stream("It is ", "project falcon."), portal=portal) as (_, direct):
        (piece,) = await written(direct)
    assert told([piece]) == [("", "BLOCKLIST")]


@pytest.mark.parametrize(
    "text",
    [
        r'{"a": "Project\nFal\u0063on"}',
        r'{"a": "Project \u0046\u0061lcon',
        r'["\ud83d\ude00 Project", "Falcon"]',
    ],
)
async def test_a_banned_phrase_is_withheld_however_json_writes_it(text: str) -> None:
    portal = Portal(banned_phrases=("Project Falcon",))
    prompt = msgspec.structs.replace(PROMPT, form=ResponseFormat())
    async with directing(stream(text), portal=portal) as (_, direct):
        assert told(await written(direct, prompt))[-1] == ("", "BLOCKLIST")


async def test_a_banned_phrase_is_withheld_in_the_arguments_of_a_call() -> None:
    portal = Portal(banned_phrases=("Project Falcon",))
    prompt = msgspec.structs.replace(PROMPT, functions=FUNCTIONS)
    call = ("hours", r'{"day": "Project\n\u0046alcon"}')
    async with directing(calling(call), portal=portal) as (_, direct):
        pieces = await written(direct, prompt)
    assert told(pieces) == [("", "BLOCKLIST")]
    assert "alcon" not in str(pieces)


async def test_each_further_candidate_has_a_seed_of_its_own() -> None:
    request = msgspec.structs.replace(PROMPT.request, seed=7)
    prompt = msgspec.structs.replace(PROMPT, request=request)
    async with directing() as (server, direct):
        for index in (0, 1, 2):
            async for _ in direct.candidate(prompt, index, TextEnd()):
                pass
    assert [one.body["seed"] for one in server.asked] == [7, 8, 9]


async def test_a_text_that_breaks_off_says_so_before_the_error() -> None:
    reply = chunks([data(event("One, ")), data(event("two"))], cut_off=True)
    pieces = list[Piece]()
    async with directing(reply) as (_, direct):
        with pytest.raises(ServiceError) as failed:
            async for piece in direct.candidate(PROMPT, 0, TextEnd()):
                pieces.append(piece)
    assert failed.value.reason == "MODEL_UNAVAILABLE"
    assert joined(pieces) == ("One, two", "OTHER")


def filtering(**found: bool) -> dict[str, Any]:
    """Return what Azure says where it refuses a prompt."""
    result = {name: {"filtered": filtered} for name, filtered in found.items()}
    return {"code": "content_filter", "innererror": {"content_filter_result": result}}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"code": "content_filter", "innererror": "x"}, "OTHER"),
        ({"code": "content_policy_violation"}, "OTHER"),
        (filtering(hate=True, jailbreak=False), "SAFETY"),
        (filtering(hate=False, jailbreak=True), "JAILBREAK"),
    ],
)
async def test_a_prompt_that_the_endpoint_refuses_is_feedback(error: Any, reason: str) -> None:
    async with directing(status(400, error=error)) as (_, direct):
        (feedback,) = await written(direct)
    assert isinstance(feedback, PromptFeedback)
    assert feedback.block_reason.name == reason


async def test_a_model_that_takes_no_images_is_told_by_field() -> None:
    image = ImagePart(ImageUrl("data:image/png;base64,AAAA"))
    request = ChatRequest(messages=(ChatMessage("user", (image,)),))
    prompt = msgspec.structs.replace(PROMPT, request=request)
    async with directing(status(400, error={"message": "not a multimodal model"})) as (_, direct):
        with pytest.raises(InvalidArgument) as refused:
            await written(direct, prompt)
    assert refused.value.field == "contents"


@pytest.mark.parametrize(
    "error",
    [
        {"code": "context_length_exceeded"},
        {"code": 400, "message": "This model's maximum context length is 4096 tokens."},
        {"code": 400, "type": "exceed_context_size_error"},
    ],
)
async def test_contents_that_are_too_long_for_the_model_are_told_by_field(error: Any) -> None:
    async with directing(status(400, error=error)) as (_, direct):
        with pytest.raises(InvalidArgument) as refused:
            await written(direct)
    assert refused.value.reason == "MODEL_CONTEXT_EXCEEDED"


async def test_leaving_closes_the_request_to_the_model() -> None:
    halfway = asyncio.Event()

    async def stall(number: int) -> None:
        if number == 2:
            halfway.set()
            await asyncio.get_running_loop().create_future()

    pieces = [data(event(text)) for text in ("One, ", "two, ", "three")]
    async with (
        asyncio.timeout(LONG),
        directing(chunks(pieces, before_each=stall)) as (server, direct),
        asyncio.TaskGroup() as tasks,
    ):
        reading = tasks.create_task(written(direct))
        await halfway.wait()
        reading.cancel()
        await server.left.wait()


def with_logprobs(text: str, logprob: float, *tops: tuple[str, float]) -> bytes:
    """Return an event whose one token is *text*."""
    document: dict[str, Any] = event(text)
    likely = [{"token": token, "logprob": value} for token, value in tops]
    content = [{"token": text, "logprob": logprob, "top_logprobs": likely}]
    document["choices"][0]["logprobs"] = {"content": content}
    return data(document)


async def test_the_tokens_of_a_text_come_with_their_log_probabilities() -> None:
    reply = chunks(
        [
            with_logprobs("Yes", -0.5, ("No", -1.0), ("Yes", -0.5)),
            with_logprobs("!", -1.5, ("!", -1.5)),
            data(event(finish_reason="stop")),
            DONE,
        ]
    )
    async with directing(reply) as (_, direct):
        last = (await written(direct))[-1]
    assert isinstance(last, Candidate)
    assert last.avg_logprobs == -1.0
    found = last.logprobs_result
    assert found is not None
    assert [(one.token, one.log_probability) for one in found.chosen_candidates] == [
        ("Yes", -0.5),
        ("!", -1.5),
    ]
    assert [one.token for one in found.top_candidates[0].candidates] == ["Yes", "No"]
    assert last.finish_reason is FinishReason.STOP
