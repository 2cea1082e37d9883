"""Say what a failure of a model endpoint means to a client.

What the endpoint itself says is never told, as it may quote our key or the prompt; only its code
is, where it looks like one.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from service.generation.chat_model.chat_events import FinishReason
from sessions.errors import (
    FailedPrecondition,
    Internal,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)

_PLAIN_CODE: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_UNSUPPORTED: Final = re.compile(
    r"not (?:supported|permitted|allowed)|unsupported|unavailable|unrecogni[sz]ed|unknown"
    r"|unexpected|extra|not configured",
    re.IGNORECASE,
)
_TOO_LONG: Final = "context_length_exceeded"
_SAYS_TOO_LONG: Final = re.compile(
    r"context[ _]length|exceed_context|exceeds? the (?:available |model's )?context|context window",
    re.IGNORECASE,
)
_PASSING: Final = frozenset({408, 409, 425, 429})
NOT_JSON: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON wanted: no text, or nested without end."""


class _FilterResult(msgspec.Struct, frozen=True):
    filtered: bool = False


class _InnerError(msgspec.Struct, frozen=True):
    content_filter_result: dict[str, _FilterResult] = msgspec.field(default={})


class UpstreamError(msgspec.Struct, frozen=True):
    """The ``error`` of an error document, or of an event among others."""

    code: int | str | None = None
    type: str | None = None
    param: Any = None
    message: Any = None
    innererror: Any = None

    @property
    def filtered(self) -> tuple[str, ...]:
        """For what a filter refused the prompt, as Azure says: ``jailbreak``, ``hate``."""
        try:
            found = msgspec.convert(self.innererror, _InnerError).content_filter_result
        except msgspec.ValidationError:
            return ()
        return tuple(
            name for name, one in found.items() if one.filtered and _PLAIN_CODE.fullmatch(name)
        )

    @property
    def name(self) -> str:
        """The code that a program would branch on, or ""."""
        name = str(self.code or self.type or "")
        return name if _PLAIN_CODE.fullmatch(name) else ""


class RetryableError(Exception):
    """What went wrong may go right next time, after *wait* seconds where the endpoint said so."""

    def __init__(self, error: ServiceError, wait: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


class UnsupportedError(Exception):
    """The model does not take a *parameter* that it can do without; *error* says so otherwise."""

    def __init__(self, error: ServiceError, parameter: str) -> None:
        super().__init__(error.message)
        self.error = error
        self.parameter = parameter


class _Document(msgspec.Struct, frozen=True):
    error: UpstreamError | str | None = None


_DOCUMENT: Final = msgspec.json.Decoder(_Document)


def code_of(body: bytes) -> str:
    """Return the code that an error document names, such as ``context_length_exceeded``, or ""."""
    error = _error_of(body)
    # Servers of open models say it in words only, under the code of every bad request.
    said = f"{error.code} {error.type} {error.message}"
    return _TOO_LONG if _SAYS_TOO_LONG.search(said) else error.name


def _error_of(body: bytes) -> UpstreamError:
    """Return the error of an error document, an empty one where it has none."""
    try:
        error = _DOCUMENT.decode(body).error
    except NOT_JSON:
        return UpstreamError()
    return error if isinstance(error, UpstreamError) else UpstreamError()


def unsupported_parameter(status: int, body: bytes, known: Sequence[str]) -> str:
    """Return which of the parameters *known* an error document says is not supported, or ""."""
    if status not in (400, 422):
        return ""
    try:
        error = _DOCUMENT.decode(body).error
    except NOT_JSON:
        return ""
    if not isinstance(error, UpstreamError):
        error = UpstreamError(message=error)
    message = str(error.message or "")
    # A value that one caller chose badly says nothing of the parameter.
    if not _UNSUPPORTED.search(f"{error.code} {message}"):
        return ""
    if str(error.param or "") in known:
        return str(error.param)
    found = (name for name in known if re.search(rf"\b{name}\b", message))
    return next(found, "")


def error_of_response(
    status: int, headers: Mapping[str, str], body: bytes
) -> ServiceError | RetryableError:
    """Return what to raise for a response whose *status* is not 200."""
    code = code_of(body)
    wait = retry_after_seconds(headers.get("Retry-After", ""))
    if status == 429:
        limited = _naming(_rate_limited(max(1, math.ceil(wait or 1))), code)
        # Money does not come back within seconds.
        return limited if code == "insufficient_quota" else RetryableError(limited, wait)
    if status >= 500 or status in _PASSING:
        away = Unavailable("the model endpoint fails; ask again later", reason="MODEL_UNAVAILABLE")
        return RetryableError(_naming(away, code), wait)
    reason = "MODEL_REQUEST_INVALID"
    match status:
        case 401 | 403:
            reason = "MODEL_REFUSED"
            remedy = "refuses our credentials; check COLLOQUY_LLM_API_KEY"
        case 404:
            remedy = "is not there; check COLLOQUY_LLM_BASE_URL and COLLOQUY_LLM_MODEL"
        case _ if status < 400:
            remedy = "redirects; set COLLOQUY_LLM_BASE_URL to its final address"
        case _:
            remedy = "does not take our request; check COLLOQUY_LLM_MODEL"
    refused = Internal(f"the model endpoint {remedy}", reason=reason, status=str(status))
    if filtered := _error_of(body).filtered:
        refused.metadata["filtered"] = ",".join(filtered)
    return _naming(refused, code)


def error_of_event(error: UpstreamError | str) -> RetryableError:
    """Return what to raise for an *error* that came instead of text, after status 200."""
    code = error.name if isinstance(error, UpstreamError) else ""
    if code == "429" or "rate_limit" in code:
        return RetryableError(_naming(_rate_limited(), code))
    failed = Unavailable(
        "the model endpoint failed while it answered; ask again", reason="MODEL_UNAVAILABLE"
    )
    return RetryableError(_naming(failed, code))


def raise_unless_whole(reason: FinishReason) -> None:
    """Raise why a text that was to be whole is not: MODEL_TRUNCATED, _FILTERED, or _MALFORMED."""
    match reason:
        case "length":
            raise ResourceExhausted(
                "the model reached the longest output it may write; the answer is cut short",
                reason="MODEL_TRUNCATED",
            )
        case "content_filter":
            raise FailedPrecondition(
                "the model declined to go on; put the query in other words",
                reason="MODEL_FILTERED",
            )
        case "tool_calls":
            raise malformed("the model called a tool where text was asked for")
        case "stop":
            pass


def too_long(most: int) -> ResourceExhausted:
    """Return the error of a model that wrote more than *most* characters."""
    return ResourceExhausted(
        f"the model wrote more than {most:,} characters; ask again", reason="MODEL_TOO_LONG"
    )


def malformed(what: str) -> Internal:
    """Return the error of an endpoint that does not speak as documented."""
    return Internal(f"{what}; check COLLOQUY_LLM_BASE_URL", reason="MODEL_MALFORMED")


def connection_lost() -> RetryableError:
    """Return the error of a connection that could not be made, or that ended half-way."""
    return RetryableError(
        Unavailable(
            "the model endpoint cannot be reached, or was lost half-way; ask again",
            reason="MODEL_UNAVAILABLE",
        )
    )


def retry_after_seconds(retry_after: str) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a date (RFC 9110)."""
    try:
        wait = max(0.0, float(retry_after))
        return wait if math.isfinite(wait) else None
    except ValueError:
        pass
    try:
        then = email.utils.parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=dt.UTC)
    return max(0.0, (then - dt.datetime.now(dt.UTC)).total_seconds())


def _rate_limited(retry_after: int = 1) -> ServiceError:
    return ResourceExhausted(
        "the model endpoint has too many requests; come back later",
        reason="MODEL_RATE_LIMITED",
        retry_after=retry_after,
    )


def _naming(error: ServiceError, code: str) -> ServiceError:
    """Add the endpoint's own *code*, where it has one, to what a client is told."""
    if code:
        error.metadata["upstream"] = code
    return error
