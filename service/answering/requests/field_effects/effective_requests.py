"""Hold a request to the tables: refuse what they refuse, take out what they say has no effect.

Whoever obeys a request is given what is left of it, so that a field can only have an effect that
the tables tell.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from service.answering.requests.field_effects import answering, generation, searching
from service.answering.requests.field_effects.effects import Effect, Table
from sessions.errors import InvalidArgument, ServiceError, Unimplemented
from sessions.resources.base import Resource

EFFECTS: Final[Table] = {**answering.TABLE, **searching.TABLE, **generation.TABLE}
"""Every message that requests of the listed methods are made of, in the order of the guide."""

T = TypeVar("T", bound=Resource)


class _Rule(NamedTuple):
    """A field to look at: what is in it is refused, taken out, or, without *effect*, a message."""

    name: str
    wire_name: str
    default: Any
    effect: Effect | None
    reason: str


def effective(request: T, *, has_model: bool, path: str = "") -> T:
    """Return *request* without the fields that have no effect here; *path* is where it stands.

    Raises:
        InvalidArgument: a field is refused, or needs a model (NEEDS_MODEL) where there is none.
        Unimplemented: a field belongs to what is not offered (NOT_OFFERED).
    """
    changes: dict[str, Any] = {}
    for rule in _rules(type(request), has_model=has_model):
        value = getattr(request, rule.name)
        # An explicit false asks for nothing, whatever its default.
        if value is None or value is False or value == rule.default:
            continue
        field = f"{path}.{rule.wire_name}" if path else rule.wire_name
        if rule.effect is None:
            kept = _within(value, field, has_model=has_model)
            if kept is not value:
                changes[rule.name] = kept
        elif rule.effect in (Effect.IGNORED, Effect.WITH_MODEL):
            changes[rule.name] = rule.default
        else:
            raise refusal(rule.effect, field, rule.reason)
    return msgspec.structs.replace(request, **changes) if changes else request


def refusal(effect: Effect, field: str, reason: str) -> ServiceError:
    """Return what refuses *field* for an *effect* that refuses."""
    message = f"{field}: {reason}; leave it out"
    if effect is Effect.NOT_OFFERED:
        return Unimplemented(message, reason="NOT_OFFERED", field=field)
    if effect is Effect.NEEDS_MODEL:
        message += ", or configure a model with COLLOQUY_LLM_BASE_URL"
        return InvalidArgument(message, reason="NEEDS_MODEL", field=field)
    return InvalidArgument(message, field=field)


def _within(value: Any, field: str, *, has_model: bool) -> Any:
    """Return a message, or the messages of a list, without what has no effect."""
    if isinstance(value, Resource):
        return effective(value, has_model=has_model, path=field)
    kept = tuple(
        effective(one, has_model=has_model, path=f"{field}[{at}]") for at, one in enumerate(value)
    )
    is_same = all(mine is theirs for mine, theirs in zip(kept, value, strict=True))
    return value if is_same else kept


@functools.cache
def _rules(message: type[Resource], *, has_model: bool) -> tuple[_Rule, ...]:
    """Return what to look at in a *message*: nothing in most, which then cost nothing."""
    fields = {field.name: field for field in msgspec.structs.fields(message)}
    return tuple(
        _Rule(name, field.encode_name, _default(field), effect, group.reason)
        for group in EFFECTS[message]
        for name in group.fields
        for field in (fields[name],)
        for effect in _acting(group.effect, field.type, has_model=has_model)
    )


def _acting(effect: Effect, kind: Any, *, has_model: bool) -> Iterator[Effect | None]:
    """Yield what is to be done with a field of *effect*, None to look into it, or nothing."""
    if effect in (Effect.OBEYED, Effect.CONFIGURED) or (
        has_model and effect in (Effect.WITH_MODEL, Effect.NEEDS_MODEL)
    ):
        if any(_rules(inner, has_model=has_model) for inner in messages_in(kind)):
            yield None
        return
    yield effect


def messages_in(kind: Any) -> Iterator[type[Resource]]:
    """Yield the messages that a field of the type *kind* holds."""
    if isinstance(kind, type) and issubclass(kind, Resource):
        yield kind
    for inner in typing.get_args(kind):
        yield from messages_in(inner)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
