"""Say a request as its endpoint takes it: what one does not know is left out from then on."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from service.generation.chat_model.chat_requests import (
    ChatRequest,
    JsonObjectFormat,
    JsonSchemaFormat,
)

_JSON_SCHEMA: Final = "json_schema"
_RESPONSE_FORMAT: Final = "response_format"
_FORMS: Final = (_JSON_SCHEMA, _RESPONSE_FORMAT)
_EFFORT: Final = "reasoning_effort"
THINKING: Final = (
    *(_EFFORT, "thinking_token_budget", "thinking_budget_tokens", "chat_template_kwargs"),
)
"""What tells models how long to think: OpenAI's, vLLM's, llama.cpp's, that of chat templates."""
DISPENSABLE: Final = (
    *("temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "seed"),
    *("max_tokens", "max_completion_tokens", "stop", "logprobs", "top_logprobs"),
    *("stream_options", "tool_choice", *_FORMS, *THINKING),
)
"""What a model may do without, so that it is left out where an endpoint refuses it."""
_EFFORTS: Final = ((0, "none"), (1_024, "low"), (8_192, "medium"))
"""Up to how many tokens of thoughts which effort is meant, as Gemini's API equates the two."""
_ENCODER: Final = msgspec.json.Encoder()


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the model is: *base_url* goes up to and with ``/v1``.

    *temperature* and *max_tokens* are asked for where a request does not say otherwise; the latter
    counts the thoughts of a model that thinks.
    """

    base_url: str
    model: str
    api_key: str = ""
    temperature: float = 0.2
    max_tokens: int = 4_096


class _StreamOptions(msgspec.Struct, frozen=True):
    include_usage: bool


class _Body(ChatRequest, frozen=True, kw_only=True):
    """A request as it is sent."""

    model: str
    stream: bool
    stream_options: _StreamOptions | None = None
    max_completion_tokens: int | None = None
    thinking_token_budget: int | None = None
    thinking_budget_tokens: int | None = None
    chat_template_kwargs: dict[str, bool] | None = None


_STREAM_OPTIONS: Final = _StreamOptions(include_usage=True)


class ChatBodies:
    """Encodes requests for one endpoint, and remembers what that does not take."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._unsupported = set[str]()
        """Parameters that this model was found not to take; nobody else can tell which."""

    def encode(self, request: ChatRequest) -> bytes:
        """Return *request* as it is sent, without what the model does not take."""
        fields = msgspec.structs.asdict(request)
        if request.temperature is None:
            fields["temperature"] = self._endpoint.temperature
        most = self.most_tokens(request)
        # What OpenAI's models that think call it, which refuse the older name.
        renamed = "max_tokens" in self._unsupported
        fields["max_completion_tokens" if renamed else "max_tokens"] = most
        fields |= {"model": self._endpoint.model, "stream": True, "stream_options": _STREAM_OPTIONS}
        if _JSON_SCHEMA in self._unsupported and isinstance(
            request.response_format, JsonSchemaFormat
        ):
            fields[_RESPONSE_FORMAT] = JsonObjectFormat()
        fields |= _thinking(request, fields.pop("thinking_budget"))
        if _effort_key(fields[_EFFORT]) in self._unsupported:
            del fields[_EFFORT]
        known = {name: value for name, value in fields.items() if name not in self._unsupported}
        return _ENCODER.encode(_Body(**known))

    def most_tokens(self, request: ChatRequest) -> int:
        """Return how many tokens the model may write, its thoughts included."""
        most = self._endpoint.max_tokens
        return most if request.max_tokens is None else min(most, request.max_tokens)

    def leave_out(self, parameter: str, request: ChatRequest) -> bool:
        """Leave out *parameter*, for which *request* was refused; False where it was already."""
        if parameter in _FORMS:  # an endpoint may know JSON and no schemas
            parameter = _RESPONSE_FORMAT if _JSON_SCHEMA in self._unsupported else _JSON_SCHEMA
        elif parameter == _EFFORT:  # a model may know other efforts than this one
            effort = _thinking(request, request.thinking_budget).get(_EFFORT)
            parameter = _effort_key(effort or request.reasoning_effort)
        is_new = parameter not in self._unsupported
        self._unsupported.add(parameter)
        return is_new


def _thinking(request: ChatRequest, budget: int | None) -> dict[str, Any]:
    """Return how servers are told to think for at most *budget* tokens: each knows some of it."""
    if budget is None:
        return {}
    effort = next((name for most, name in _EFFORTS if budget <= most), "high")
    told: dict[str, Any] = {
        _EFFORT: request.reasoning_effort or effort,
        "thinking_token_budget": budget,
        "thinking_budget_tokens": budget,
    }
    if not budget:
        told["chat_template_kwargs"] = {"enable_thinking": False}
    return told


def _effort_key(effort: str | None) -> str:
    return f"{_EFFORT}={effort}"
