"""Read a generateContent request: what is asked, after which turns, within which limits.

Whatever is refused is refused before anything is searched for. What has no effect is taken out
first, by the tables in `field_effects`; what is left of the configuration is handed on to the model
that writes, where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.direct import chat_messages
from service.answering.direct.direct_prompt import DirectPrompt
from service.answering.direct.prompt_guards import PromptGuards
from service.answering.methods import retrieval_tools
from service.answering.requests import (
    content_texts,
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
from sessions.resources import answer_query, answers, generate_content
from sessions.resources.candidates import HarmCategory
from sessions.resources.generate_content import GenerateContentRequest, GenerationConfig
from sessions.resources.sessions import Query

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
    instruction = content_texts.text_of(request.system_instruction, "systemInstruction")
    content_texts.check_length(instruction, "systemInstruction")
    tokens = content_texts.count(request.contents) + token_counts.count(instruction)
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
    turns = content_texts.turns_of(request.contents)
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
