"""Read a generateContent request: what is asked, after which turns, within which limits.

Whatever is refused is refused before anything is searched for. What has no effect is taken out
first, by the tables in `field_effects`; what is left of the configuration is handed on to the model
that writes, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.answering.direct import chat_messages, function_turns
from service.answering.direct.direct_prompt import DirectPrompt
from service.answering.direct.prompt_guards import PromptGuards
from service.answering.methods import retrieval_tools
from service.answering.requests import (
    field_checks,
    function_declarations,
    generation_configs,
    response_formats,
)
from service.answering.requests.field_effects import effective_requests
from service.answering.requests.field_effects.effects import Effect
from service.answering.requests.function_declarations import Functions
from service.answering.requests.response_formats import ResponseFormat
from service.answering.retrieval.context_scopes import ContextScope
from service.answering.web import web_tools
from service.answering.web.web_tools import OfferedWeb, WebTools
from service.corpus.index import RequestIndex
from service.generation import token_counts
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.generator import PastTurn
from sessions.errors import InvalidArgument
from sessions.resources import answer_query, answers, contents, generate_content
from sessions.resources.candidates import HarmCategory
from sessions.resources.generate_content import GenerateContentRequest, GenerationConfig
from sessions.resources.sessions import Query

MAX_LENGTH: Final = 1_000_000
"""Characters of all contents together."""
_USER: Final = ("", "user")
_MODEL: Final = "model"
_PARTS: Final = (
    "inline_data",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
)
_NO_FILTER: Final = (
    answer_query.HarmBlockThreshold.OFF,
    answer_query.HarmBlockThreshold.BLOCK_NONE,
)


_NO_WEB: Final = OfferedWeb()


class PromptRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be written: the query for the pipeline, and what only the caller of it needs.

    *scope* is where the pipeline retrieves from, None without a tool: then nothing is searched for.
    *tokens* is what the contents and the instruction have, *history* the turns before the last
    content. The rest are the limits of each text, and how many are wanted.
    """

    query: answer_query.AnswerQueryRequest
    scope: ContextScope | None = None
    history: tuple[PastTurn, ...] = ()
    tokens: int = 0
    shows_ratings: bool = False
    """Whether every candidate is told how harmful it is: the request has safety settings."""
    stops: tuple[str, ...] = ()
    max_tokens: int | None = None
    count: int = 1
    config: GenerationConfig | None = None
    """How a model that writes is to choose its words."""
    guards: PromptGuards = PromptGuards()
    direct: DirectPrompt | None = None
    """What a model is asked that writes without documents; then the query is only guarded."""
    web: WebTools | None = None
    """What of the web is wanted as well, of which *urls* are the pages that contents name."""
    urls: tuple[str, ...] = ()
    sources: RequestIndex | None = None
    """What is searched with *scope*, where that is not in the index alone."""

    @property
    def text(self) -> str:
        """What the last content asks."""
        return (self.query.query and self.query.query.text) or ""

    @property
    def attributed(self) -> bool:
        """Whether candidates say what they were written from."""
        spec = self.query.grounding_spec
        return spec is not None and spec.include_grounding_supports


def read(
    request: GenerateContentRequest, *, has_model: bool = False, offered: OfferedWeb = _NO_WEB
) -> PromptRequest:
    """Return what *request* asks for, as far as it has an effect here.

    Of the web it may want what is *offered*.

    Raises:
        InvalidArgument: a field cannot be used; it is named by its path.
        Unimplemented: something is wanted that is not offered.
    """
    config = request.generation_config or GenerationConfig()
    generation_configs.check(config)
    field_checks.check_labels(request.labels)
    instruction = text_of(request.system_instruction, "systemInstruction")
    check_length(instruction, "systemInstruction")
    tokens = count(request.contents) + token_counts.count(instruction)
    request = effective_requests.effective(request, has_model=has_model)
    scope, attributed = retrieval_tools.read(request.tools) or (None, True)
    functions = function_declarations.read(request.tools, request.tool_config)
    spec, guards = _guards(request.safety_settings)
    config = request.generation_config or GenerationConfig()
    prompt = PromptRequest(
        query=query_of("", scope, attributed=attributed),
        scope=scope,
        guards=guards,
        tokens=tokens,
        shows_ratings=bool(request.safety_settings),
        stops=config.stop_sequences,
        max_tokens=config.max_output_tokens,
        count=config.candidate_count or 1,
        config=request.generation_config,
        web=web_tools.read(request.tools, offered),
    )
    instruction = instruction if request.system_instruction else ""
    form = response_formats.read(config)
    if scope is None and has_model:
        direct = DirectPrompt(
            request=_chat_request(request, config, instruction, functions, form),
            safety_spec=spec,
            rates=prompt.shows_ratings,
            shows_thoughts=generation_configs.shows_thoughts(config),
            functions=functions,
            form=form,
        )
        prompt = _directly(prompt, direct)
        if prompt.web is None:
            return prompt
    _check_from_documents(functions, form, has_model=has_model)
    # What is asked directly is for where nothing of the web can be read.
    return _from_documents(prompt, request, instruction, spec)


def _check_from_documents(
    functions: Functions | None, form: ResponseFormat | None, *, has_model: bool
) -> None:
    """Refuse what only a model that writes freely can do."""
    if functions is not None:
        field = "tools"
        raise InvalidArgument(
            f"{field}: functions and a tool that brings sources do not go together; send one",
            field=field,
        )
    if form is not None:
        field = "generationConfig.responseMimeType"
        if not has_model:
            reason = "without a model, text is quoted from documents and not generated"
            raise effective_requests.refusal(Effect.NEEDS_MODEL, field, reason)
        raise InvalidArgument(
            f"{field}: a text with sources is plain text; leave this out, or the tool",
            field=field,
        )


def _from_documents(
    prompt: PromptRequest,
    request: GenerateContentRequest,
    instruction: str,
    safety_spec: answer_query.SafetySpec | None,
) -> PromptRequest:
    """Return *prompt* with what the pipeline is asked."""
    config = prompt.config
    has_sources = prompt.scope is not None or prompt.web is not None
    if has_sources and config is not None and config.response_logprobs:
        field = "generationConfig.responseLogprobs"
        raise InvalidArgument(
            f"{field}: a text with sources is not told token by token; leave it out, or the tool",
            field=field,
        )
    turns = _turns(request.contents)
    attributed = prompt.attributed
    query = msgspec.structs.replace(
        query_of(turns[-1].query, prompt.scope, attributed=attributed),
        safety_spec=safety_spec,
        answer_generation_spec=answer_query.AnswerGenerationSpec(
            prompt_spec=answer_query.PromptSpec(preamble=instruction),
            include_citations=attributed,
        ),
    )
    history = tuple(turn for turn in turns[:-1] if turn.query)
    urls: tuple[str, ...] = ()
    if prompt.web is not None and prompt.web.reads_urls:
        urls = web_tools.urls_in(turns, f"contents[{len(request.contents) - 1}].parts")
    return msgspec.structs.replace(prompt, query=query, history=history, urls=urls)


def _directly(prompt: PromptRequest, direct: DirectPrompt) -> PromptRequest:
    """Return *prompt* with what the model is asked without the pipeline."""
    last = direct.request.messages[-1]
    # What a function returned is nobody's question.
    text = chat_messages.text_of(last) if last.role == "user" else ""
    query = msgspec.structs.replace(
        prompt.query, query=Query(text=text), safety_spec=direct.safety_spec
    )
    return msgspec.structs.replace(prompt, query=query, direct=direct)


def _chat_request(
    request: GenerateContentRequest,
    config: GenerationConfig,
    instruction: str,
    functions: Functions | None,
    form: ResponseFormat | None,
) -> ChatRequest:
    """Return what the model is asked."""
    asked = ChatRequest(
        messages=chat_messages.messages(request.contents, instruction, config.media_resolution),
        logprobs=config.response_logprobs or None,
        top_logprobs=config.logprobs or None,
        tools=functions.tools if functions else (),
        tool_choice=functions.choice if functions else None,
        **msgspec.structs.asdict(generation_configs.sampling(config)),
    )
    return form.asked_in(asked) if form else asked


def over(
    prompt: PromptRequest, text: str, scope: ContextScope, sources: RequestIndex
) -> PromptRequest:
    """Return *prompt* asking *text* of *sources*, as far as *scope* reaches in them."""
    query = msgspec.structs.replace(
        prompt.query,
        query=Query(text=text),
        search_spec=answer_query.SearchSpec(search_params=scope.params()),
    )
    return msgspec.structs.replace(prompt, query=query, scope=scope, sources=sources, direct=None)


def query_of(
    text: str, scope: ContextScope | None, *, attributed: bool
) -> answer_query.AnswerQueryRequest:
    """Return what the pipeline is asked by *text*, of what *scope* reaches."""
    return answer_query.AnswerQueryRequest(
        query=Query(text=text),
        grounding_spec=answer_query.GroundingSpec(include_grounding_supports=attributed),
        answer_generation_spec=answer_query.AnswerGenerationSpec(include_citations=attributed),
        search_spec=answer_query.SearchSpec(search_params=scope.params() if scope else None),
    )


def last_text(given: Sequence[contents.Content]) -> tuple[str, tuple[PastTurn, ...]]:
    """Return what the last content asks, and the turns before it.

    Raises:
        InvalidArgument: there is none, or it is no question in text.
    """
    turns = _turns(given)
    return turns[-1].query, tuple(turn for turn in turns[:-1] if turn.query)


def count(given: Sequence[contents.Content]) -> int:
    """Return how many tokens *given* have."""
    return sum(
        token_counts.count(part.text or function_turns.text_of(part))
        for one in given
        for part in one.parts
        if not part.thought
    )


def text_of(content: contents.Content | None, field: str, *, with_calls: bool = False) -> str:
    """Return the text of *content*, thoughts left out, and calls and their results if wanted.

    Raises:
        InvalidArgument: a part is something else.
    """
    return "\n".join(_texts(content, field, with_calls=with_calls)) if content else ""


def check_length(text: str, field: str) -> str:
    """Return *text*, unless it is longer than anything that is read at once.

    Raises:
        InvalidArgument: it is; *field* is named.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"{field}: at most {MAX_LENGTH} characters", field=field)
    return text


def _texts(content: contents.Content, field: str, *, with_calls: bool) -> Iterator[str]:
    for at, part in enumerate(content.parts):
        where = f"{field}.parts[{at}]"
        if with_calls and (called := function_turns.text_of(part)):
            yield called
            continue
        for name in _PARTS:
            if getattr(part, name) is not None:
                head, tail = name.split("_", 1)
                path = f"{where}.{head}{''.join(word.title() for word in tail.split('_'))}"
                raise InvalidArgument(f"{path}: only text is read here", field=path)
        if part.text and not part.thought:
            yield part.text


def _turns(given: Sequence[contents.Content]) -> list[PastTurn]:
    """Return the turns of a conversation; the last one has no answer yet.

    Contents of one role in a row are one: a streamed reply may come back in its pieces.
    """
    if not given:
        raise InvalidArgument("contents: give at least one", field="contents")
    parts: list[tuple[list[str], list[str]]] = [([], [])]
    for at, content in enumerate(given):
        field = f"contents[{at}]"
        text = text_of(content, field)
        if content.role not in (*_USER, _MODEL):
            raise InvalidArgument(f"{field}.role: give user or model", field=f"{field}.role")
        if content.role != _MODEL and parts[-1][1]:
            parts.append(([], []))
        if text:
            parts[-1][content.role == _MODEL].append(text)
    turns = [PastTurn("\n".join(query).strip(), "".join(answer)) for query, answer in parts]
    field = f"contents[{len(given) - 1}]"
    if given[-1].role == _MODEL:
        raise InvalidArgument(f"{field}.role: the last content must be user", field=f"{field}.role")
    if not turns[-1].query.strip():
        raise InvalidArgument(f"{field}.parts: say something", field=f"{field}.parts")
    if len(turns[-1].query) > field_checks.MAX_QUERY:
        path = f"{field}.parts"
        raise InvalidArgument(f"{path}: at most {field_checks.MAX_QUERY} characters", field=path)
    if sum(len(turn.query) + len(turn.answer) for turn in turns) > MAX_LENGTH:
        raise InvalidArgument(f"contents: at most {MAX_LENGTH} characters", field="contents")
    return turns


def _guards(
    settings: Sequence[generate_content.SafetySetting],
) -> tuple[answer_query.SafetySpec | None, PromptGuards]:
    """Return what blocks prompt and text by how harmful they are, and how the prompt is guarded."""
    seen = set[HarmCategory]()
    kept: list[answer_query.SafetySetting] = []
    guards = PromptGuards()
    for at, setting in enumerate(settings):
        field = f"safetySettings[{at}].category"
        if setting.category is HarmCategory.HARM_CATEGORY_UNSPECIFIED:
            raise InvalidArgument(f"{field}: name the category", field=field)
        if setting.category in seen:
            raise InvalidArgument(f"{field}: has a setting already", field=field)
        seen.add(setting.category)
        if setting.category is HarmCategory.HARM_CATEGORY_JAILBREAK:
            guards = msgspec.structs.replace(guards, rules=setting.threshold)
        elif setting.threshold not in _NO_FILTER:
            category = answers.HarmCategory[setting.category.name]
            kept.append(answer_query.SafetySetting(category=category, threshold=setting.threshold))
            if setting.category is HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT:
                guards = msgspec.structs.replace(guards, harm=True)
    spec = answer_query.SafetySpec(enable=True, safety_settings=tuple(kept)) if kept else None
    return spec, guards
