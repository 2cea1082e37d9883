"""Write the page of the guide that lists the fields which are not simply obeyed.

``python -m tests.guide.request_fields`` writes it anew after a change to the tables.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from service.answering.requests.field_effects import effective_requests
from service.answering.requests.field_effects.effective_requests import EFFECTS
from service.answering.requests.field_effects.effects import Effect
from service.corpus.documents import folders
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.base import Resource
from sessions.resources.conversations import ConverseConversationRequest
from sessions.resources.generate_content import GenerateContentRequest
from sessions.resources.retrieve_contexts import RetrieveContextsRequest
from sessions.resources.search_requests import SearchRequest

PAGE: Final = Path(folders.__file__).parents[2] / "guide" / "request-fields.md"
_HEAD: Final = """\
# Request fields

Colloquy reads every documented field of a request, and obeys all but those that this page lists.

The page covers requests for answers, conversations, searches, contexts and generated contents.
A field that is refused is named by its path in the error, and nothing of its request is done.
A field set to its default, or to false, asks for nothing.
"""
_SECTIONS: Final = (
    (
        "Which request fields are accepted without effect?",
        "Programs may set the request fields of this list, which change nothing:",
        (Effect.IGNORED,),
    ),
    (
        "Which request fields have an effect only with a model?",
        "Where no [model](models.md) writes, the request fields of this list change nothing:",
        (Effect.WITH_MODEL,),
    ),
    (
        "Which request fields need a model?",
        "Without a model, Colloquy refuses the request fields of this list as `NEEDS_MODEL`:",
        (Effect.NEEDS_MODEL,),
    ),
    (
        "Which request fields need a setting?",
        "Unless [the web](web.md) is configured, Colloquy refuses them as `NOT_OFFERED`:",
        (Effect.CONFIGURED,),
    ),
    (
        "Which request fields are refused?",
        "Colloquy refuses the request fields of this list, as it does not do what they ask for:",
        (Effect.REFUSED, Effect.NOT_OFFERED),
    ),
)


ROOTS: Final[tuple[type[Resource], ...]] = (
    AnswerQueryRequest,
    ConverseConversationRequest,
    SearchRequest,
    RetrieveContextsRequest,
    GenerateContentRequest,
)
"""The requests that the tables tell of, with everything in them."""
_UNREAD: Final = (Effect.IGNORED, Effect.REFUSED, Effect.NOT_OFFERED)
"""What is in a field of such an effect is nothing to tell of."""


def reached(root: type[Resource], *, unread: bool = False) -> set[type[Resource]]:
    """Return every message that is read of a request of the type *root*, or *unread* in it."""
    found, left = set[type[Resource]](), [root]
    while left:
        message = left.pop()
        if message in found:
            continue
        found.add(message)
        kinds = typing.get_type_hints(message)
        ends = {
            name
            for group in EFFECTS.get(message, ())
            for name in group.fields
            if group.effect in _UNREAD and not unread
        }
        for name in set(message.__struct_fields__) - ends:
            left += effective_requests.messages_in(kinds[name])
    return found


def page() -> str:
    """Return the page as the tables have it."""
    return "\n".join([_HEAD, *(_section(*section) for section in _SECTIONS)])


def _section(heading: str, lead: str, effects: tuple[Effect, ...]) -> str:
    rows = "".join(f"| {fields} | {reason} |\n" for fields, reason in _rows(effects))
    return f"## {heading}\n\n{lead}\n\n| Field | Why |\n| --- | --- |\n{rows}"


def _rows(effects: Iterable[Effect]) -> Iterator[tuple[str, str]]:
    """Yield the fields of each message that share a reason, and the reason as a sentence."""
    read = {message for root in ROOTS for message in reached(root)}
    for message, groups in EFFECTS.items():
        if message not in read:
            continue
        wire_names = {one.name: one.encode_name for one in msgspec.structs.fields(message)}
        by_reason: dict[str, list[str]] = {}
        for group in groups:
            if group.effect in effects:
                by_reason.setdefault(group.reason, []).extend(
                    map(wire_names.__getitem__, group.fields)
                )
        for reason, names in by_reason.items():
            fields = ", ".join(f"`{message.__name__}.{name}`" for name in names)
            yield fields, f"{reason[:1].upper()}{reason[1:]}."


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
