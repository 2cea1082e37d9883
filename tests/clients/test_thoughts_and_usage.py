"""What a model thinks and counts, as the official clients read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from tests import doubles
from tests.answering.direct.images import image
from tests.clients import asking, field_coverage
from tests.clients.aiplatform import FEES, REGION, Rag
from tests.clients.asking import Town, Written, ask, get, stream
from tests.doubles import DONE, Reply, chunks, data, event
from tests.packages import Package
from tests.redis_servers import Server

genai = Package("google.genai")
types = Package("google.genai.types")
credentials = Package("google.oauth2.credentials")

MODEL: Final = "gemini-2.0-flash"
RENEWAL: Final = "What does a passport renewal cost?"
THOUGHT: Final = "The fees say 80."
SAID: Final = "A passport renewal costs 80 €."
USAGE: Final = {
    "prompt_tokens": 100,
    "completion_tokens": 30,
    "total_tokens": 130,
    "prompt_tokens_details": {"cached_tokens": 64, "image_tokens": 40},
    "completion_tokens_details": {"reasoning_tokens": 20},
}


def thinking(text: str, *, usage: Any = USAGE) -> Reply:
    """Think in a field of its own, and in the text; then say *text*, and what it took."""
    pieces = [event(reasoning_content="The fees "), event("<think>say 80.</think>"), event(text)]
    told = [*map(data, pieces), data(event(finish_reason="stop"))]
    return chunks([*told, *([data({"choices": [], "usage": usage})] if usage else []), DONE])


class Thinker(NamedTuple):
    """A service whose operator lets answers show thoughts, and the generation client."""

    written: Written
    client: Any
    tool: Any

    def generate(self, reply: Reply, contents: Any = RENEWAL, **config: Any) -> Any:
        """Return the response to *contents*, for which the model gives *reply*."""
        self.written.model.script(reply)
        return self.client.models.generate_content(
            model=MODEL, contents=contents, config=types.GenerateContentConfig(**config)
        )

    @property
    def told(self) -> Any:
        """What the model was asked last."""
        return self.written.model.asked[-1].body


@pytest.fixture(scope="module")
def thinker(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Thinker]:
    folder = tmp_path_factory.mktemp("thoughts")
    with (
        asking.written(module_redis.service_url, folder, llm_thoughts=True) as written,
        field_coverage.http_client() as http,
    ):
        url = written.town.v1.url
        client = genai.Client(
            vertexai=True,
            project="thoughts",
            location=REGION,
            credentials=credentials.Credentials(token="x"),
            http_options=types.HttpOptions(base_url=url, httpx_client=http),
        )
        source = types.VertexRagStoreRagResource(rag_corpus=Rag("v1", url).corpus(fees=FEES))
        store = types.VertexRagStore(rag_resources=[source])
        yield Thinker(
            written, client, types.Tool(retrieval=types.Retrieval(vertex_rag_store=store))
        )


def parts(reply: Any) -> list[tuple[str, bool]]:
    return [(part.text, bool(part.thought)) for part in reply.candidates[0].content.parts]


def counts(details: Any) -> list[tuple[str, int]]:
    return [(one.modality.name, one.token_count) for one in details or ()]


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("guarded", [False, True])
def test_thoughts_come_where_they_are_asked_for(
    thinker: Thinker, *, grounded: bool, guarded: bool
) -> None:
    """A grounded text that may be withdrawn for harm comes without: nobody rates its thoughts."""
    guard = types.SafetySetting(
        category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_LOW_AND_ABOVE"
    )
    config: Any = {
        "tools": [thinker.tool] if grounded else None,
        "safety_settings": [guard] if guarded else None,
    }
    said = thinking(f"{SAID[:-1]} [1]." if grounded else SAID)
    reply = thinker.generate(said, thinking_config={"include_thoughts": True}, **config)
    thoughts = [] if grounded and guarded else [(THOUGHT, True)]
    assert parts(reply) == [*thoughts, (SAID, False)]
    assert reply.text == SAID
    silent = thinker.generate(said, **config)
    assert parts(silent) == [(SAID, False)]


@pytest.mark.parametrize("grounded", [False, True])
def test_thoughts_are_streamed_before_the_text(thinker: Thinker, *, grounded: bool) -> None:
    thinker.written.model.script(thinking(f"{SAID[:-1]} [1]." if grounded else SAID))
    config = types.GenerateContentConfig(
        thinking_config=types.ThinkingConfig(include_thoughts=True),
        tools=[thinker.tool] if grounded else None,
    )
    told = list(
        thinker.client.models.generate_content_stream(model=MODEL, contents=RENEWAL, config=config)
    )
    streamed = [
        (part.text, bool(part.thought))
        for one in told
        for part in (one.candidates[0].content.parts if one.candidates[0].content else None) or ()
    ]
    thoughts = [text for text, is_thought in streamed if is_thought]
    assert "".join(thoughts) == THOUGHT
    assert "".join(text for text, is_thought in streamed if not is_thought) == SAID
    assert [is_thought for _, is_thought in streamed[: len(thoughts)]] == [True] * len(thoughts)


@pytest.mark.parametrize(
    ("config", "effort", "budget"),
    [
        ({"thinking_budget": 0}, "none", 0),
        ({"thinking_budget": 5_000}, "medium", 5_000),
        ({"thinking_budget": -1}, None, None),
        ({"thinking_level": "HIGH"}, "high", None),
    ],
)
@pytest.mark.parametrize("grounded", [False, True])
def test_a_model_is_told_how_long_to_think(
    thinker: Thinker, config: Any, effort: str | None, budget: int | None, *, grounded: bool
) -> None:
    tools = [thinker.tool] if grounded else None
    thinker.generate(thinking(SAID), thinking_config=config, tools=tools)
    told = thinker.told
    assert (told.get("reasoning_effort"), told.get("thinking_token_budget")) == (effort, budget)


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"thinking_budget": -2}, "generationConfig.thinkingConfig.thinkingBudget"),
        ({"thinking_budget": 1, "thinking_level": "LOW"}, "generationConfig.thinkingConfig"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(thinker: Thinker, config: Any, field: str) -> None:
    errors = Package("google.genai.errors")
    with pytest.raises(errors.ClientError, match=field):
        thinker.generate(thinking(SAID), thinking_config=config)


@pytest.mark.parametrize("grounded", [False, True])
def test_usage_is_what_the_model_counted(thinker: Thinker, *, grounded: bool) -> None:
    usage = thinker.generate(
        thinking(SAID), tools=[thinker.tool] if grounded else None
    ).usage_metadata
    assert (usage.prompt_token_count, usage.candidates_token_count) == (100, 10)
    assert (usage.thoughts_token_count, usage.cached_content_token_count) == (20, 64)
    assert usage.total_token_count == 130
    assert counts(usage.prompt_tokens_details) == [("TEXT", 60), ("IMAGE", 40)]
    assert counts(usage.candidates_tokens_details) == [("TEXT", 10)]
    assert counts(usage.cache_tokens_details) == [("TEXT", 64)]


@pytest.mark.parametrize("grounded", [False, True])
def test_an_estimate_is_known_by_its_lack_of_details(thinker: Thinker, *, grounded: bool) -> None:
    usage = thinker.generate(
        thinking(SAID, usage=None), tools=[thinker.tool] if grounded else None
    ).usage_metadata
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count
    assert usage.candidates_token_count > 3
    assert (usage.candidates_tokens_details, usage.prompt_tokens_details) == (None, None)


def test_tokens_of_images_that_nobody_told_are_not_called_text(thinker: Thinker) -> None:
    counted = {"prompt_tokens": 100, "completion_tokens": 30}
    shown = types.Part.from_bytes(data=image(), mime_type="image/png")
    usage = thinker.generate(thinking(SAID, usage=counted), [shown, "What is it?"]).usage_metadata
    assert usage.prompt_token_count == 100
    assert usage.prompt_tokens_details is None
    assert counts(usage.candidates_tokens_details) == [("TEXT", 30)]


@pytest.fixture
def town(thinker: Thinker) -> Town:
    thinker.written.model.script(thinking("A parking permit costs 40 € a year [1]."))
    return thinker.written.town


def test_the_thought_of_an_answer_is_that_of_its_last_step(town: Town) -> None:
    found = ask(town.v1, town.store, session=f"{town.store}/sessions/-")
    search, writing = found.answer.steps
    assert (search.thought, writing.thought) == ("", THOUGHT)
    assert (writing.state.name, writing.description) == ("SUCCEEDED", "Write the answer.")
    stored = get(town.v1, found.answer.name)
    assert stored["steps"][1]["thought"] == THOUGHT


def test_the_thought_is_streamed_before_the_text(town: Town) -> None:
    elements = [one.answer for one in stream(town.v1, town.store)]
    thinks = [len(one.steps) > 1 and one.steps[1].thought == THOUGHT for one in elements]
    first = thinks.index(True)
    assert elements[first].steps[1].state.name == "IN_PROGRESS"
    assert not any(one.answer_text for one in elements[:first])
    assert elements[-1].steps[1].state.name == "SUCCEEDED"


def test_thoughts_without_an_answer_are_not_shown(thinker: Thinker, town: Town) -> None:
    thinker.written.model.script(thinking("NO_ANSWER"))
    answer = ask(town.v1, town.store).answer
    assert answer.answer_skipped_reasons
    assert THOUGHT not in str(answer)


def test_the_thoughts_of_a_text_that_may_be_withdrawn_are_not_shown(town: Town) -> None:
    spec = {"filtering_level": "FILTERING_LEVEL_HIGH"}
    answer = ask(town.v1, town.store, grounding_spec=spec).answer
    assert answer.answer_text
    assert THOUGHT not in str(answer)


def test_endless_thoughts_are_cut(thinker: Thinker, town: Town) -> None:
    events = [data(event(reasoning="Hm. " * 5_000))] * 5
    said = doubles.completion("A parking permit costs 40 € a year.")
    thinker.written.model.script(chunks([*events, *said]))
    answer = ask(town.v1, town.store).answer
    assert answer.answer_text
    assert len(answer.steps[1].thought) <= 16_000


def test_thoughts_are_no_part_of_what_a_model_is_told_of_earlier_turns(
    thinker: Thinker, town: Town
) -> None:
    session = ask(town.v1, town.store, session=f"{town.store}/sessions/-").session.name
    ask(town.v1, town.store, "And for two cars?", session=session)
    assert THOUGHT not in json.dumps(thinker.told)
