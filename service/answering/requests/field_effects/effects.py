"""What becomes of a field of a request, and the groups in which the tables of messages say it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from sessions.resources.base import Resource


class Effect(enum.Enum):
    """What becomes of a field that a request sets."""

    OBEYED = "obeyed"
    WITH_MODEL = "obeyed with a model, accepted without effect without one"
    NEEDS_MODEL = "obeyed with a model, refused without one"
    CONFIGURED = "obeyed where the operator configures it, refused as not offered elsewhere"
    IGNORED = "accepted without effect"
    REFUSED = "refused"
    NOT_OFFERED = "refused as not offered"


class Group(NamedTuple):
    """Fields of one message, by their attributes, of which the same becomes for the same *reason*.

    The reason goes on with "the field is …, because"; what is always obeyed needs none.
    """

    effect: Effect
    fields: tuple[str, ...]
    reason: str = ""


Table = Mapping[type[Resource], tuple[Group, ...]]
"""What becomes of each field of each message that a request is made of."""


def obeyed(*fields: str) -> Group:
    """Return that *fields* have the documented effect."""
    return Group(Effect.OBEYED, fields)


def with_model(reason: str, *fields: str) -> Group:
    """Return that *fields* have an effect on a model only, and are accepted without one."""
    return Group(Effect.WITH_MODEL, fields, reason)


def needs_model(reason: str, *fields: str) -> Group:
    """Return that *fields* ask for what only a model can do."""
    return Group(Effect.NEEDS_MODEL, fields, reason)


def configured(reason: str, *fields: str) -> Group:
    """Return that *fields* have their effect where a setting says so; who obeys them refuses."""
    return Group(Effect.CONFIGURED, fields, reason)


def ignored(reason: str, *fields: str) -> Group:
    """Return that *fields* never have an effect."""
    return Group(Effect.IGNORED, fields, reason)


def refused(reason: str, *fields: str) -> Group:
    """Return that *fields* cannot be obeyed, so that to leave them out unsaid would mislead."""
    return Group(Effect.REFUSED, fields, reason)


def not_offered(reason: str, *fields: str) -> Group:
    """Return that *fields* belong to a feature that is not offered (UNIMPLEMENTED)."""
    return Group(Effect.NOT_OFFERED, fields, reason)
