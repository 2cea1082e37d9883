"""What each field of a message and each parameter of a path means, for the published documents.

The texts stand in ``field_descriptions.txt``. What becomes of a field that a request sets is told
by the tables that requests are held to, so that the documents say the same as the service does.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from typing import Any, Final

from service.answering.requests.field_effects.effective_requests import EFFECTS
from service.answering.requests.field_effects.effects import Effect

_EFFECTS: Final[Mapping[Effect, str]] = {
    Effect.WITH_MODEL: "Without effect where no model is configured:",
    Effect.NEEDS_MODEL: "Refused where no model is configured:",
    Effect.CONFIGURED: "Refused unless it is configured:",
    Effect.IGNORED: "Accepted without effect:",
    Effect.REFUSED: "Refused:",
    Effect.NOT_OFFERED: "Refused:",
}


@functools.cache
def texts() -> Mapping[str, str]:
    """Return all descriptions by ``Message.name``, ``name`` and, of a path, ``{name}``."""
    file = importlib.resources.files("service.api.pages").joinpath("field_descriptions.txt")
    lines = (line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return dict(line.split(": ", 1) for line in lines)


def of_field(message: type[Any], name: str) -> str:
    """Return what the field that is written *name* means in *message*, "" where it is unknown."""
    meaning = texts().get(f"{message.__name__}.{name}") or texts().get(name, "")
    return " ".join(filter(None, (meaning, _effects(message).get(name))))


def of_path(name: str) -> str:
    """Return what the part *name* of a path means."""
    return texts().get(f"{{{name}}}", "")


def of_header(name: str) -> str:
    """Return what the header *name* says."""
    return texts().get(name, "")


@functools.cache
def _effects(message: type[Any]) -> Mapping[str, str]:
    """Return what becomes of the fields of *message* that are not simply obeyed."""
    return {
        message.__struct_encode_fields__[message.__struct_fields__.index(field)]: (
            f"{_EFFECTS[group.effect]} {group.reason}."
        )
        for group in EFFECTS.get(message, ())
        if group.effect in _EFFECTS
        for field in group.fields
    }
