"""Mask personal data in what people say, wherever in a message they say it.

Every text of a message that is about what people do is masked, but for those fields that are no
words of people: names and ids, filters, and what a program or its documents say. So a field that is
new is masked until somebody decides otherwise.
"""

from __future__ import annotations

import functools
import typing
from typing import Any, Final, TypeVar, cast

import msgspec

from service.project_numbers import NAME_FIELDS
from service.redaction.redactor import Redactor
from service.security import permissions
from service.security.permissions import ResourceKind
from sessions.resources.augmentations import CorroborateContentRequest

T = TypeVar("T", bound=msgspec.Struct)

SAID: Final = frozenset(
    {
        *(ResourceKind.ANSWERS, ResourceKind.SESSIONS, ResourceKind.CONVERSATIONS),
        *(ResourceKind.SEARCH_RESULTS, ResourceKind.COMPLETIONS, ResourceKind.USER_EVENTS),
        *(ResourceKind.CONTEXTS, ResourceKind.TEXTS),
    }
)
"""What people, or programs for them, say something about. All else is what an operator sets up."""
_NAMES: Final = NAME_FIELDS | {
    *("id", "user_id", "user_pseudo_id", "session_id", "conversation_id", "promotion_ids"),
    *("tag_ids", "transaction_id", "pageview_id", "panel_id", "rag_file_ids", "query_id"),
    *("pending_async_assist_operation_id", "cached_content", "page_token", "attribution_token"),
    *("assist_token", "answer_query_token", "update_mask", "after"),
}
"""Texts that name something: with another name, it would be something else."""
_EXPRESSIONS: Final = frozenset(
    "filter canonical_filter metadata_filter condition order_by ranking_expression"
    " custom_search_operators".split()
)
"""Texts in a language of ours, which a program writes to choose documents by their fields."""
_PROGRAMS: Final = frozenset(
    {
        *("system_instruction", "prompt_spec", "model_prompt_spec", "generation_config"),
        *("tools", "tool_config"),
        # Sources, which are the operator's as documents are, and what is held against them.
        *("search_result_list", "facts", "records", "grounding_facts", "answer_candidate"),
        # JSON in an address: what it holds is a message, which is masked when it was read.
        "user_event",
    }
)
"""Fields that are left alone at every depth: instructions, and texts of sources."""


class MessageRedaction:
    """Masks messages by what the operator chose."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def message(self, method: str, message: T) -> T:
        """Return *message*, of *method*, as it may be stored, searched, and told to a model.

        *method* is called as in the documents, or is a type of frame. Once masked is masked for
        good: to mask it again changes nothing.
        """
        return self._message(message) if self._redactor and concerns(method) else message

    def _message(self, message: T) -> T:
        changed: dict[str, Any] = {}
        for field in _said_fields(type(message)):
            before = getattr(message, field)
            after = self._value(before)
            if after is not before:
                changed[field] = after
        return msgspec.structs.replace(message, **changed) if changed else message

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return self._redactor.redacted(value)
            case msgspec.Struct():
                return self._message(value)
            case tuple() | list():
                items = cast("tuple[Any, ...] | list[Any]", value)
                made = [self._value(each) for each in items]
                same = all(each is item for each, item in zip(made, items, strict=True))
                return value if same else type(value)(made)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            case dict():
                fields = cast("dict[str, Any]", value)
                made = {key: self._value(each) for key, each in fields.items()}
                same = all(made[key] is each for key, each in fields.items())
                return fields if same else made
            case _:
                return value


def concerns(method: str) -> bool:
    """Whether messages of *method* have what people say; "" is a method that anybody may call."""
    return bool(method) and permissions.rule(method).resource in SAID


@functools.cache
def _said_fields(type_: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in msgspec.structs.fields(type_)
        if field.name not in _PROGRAMS
        and not (type_ is CorroborateContentRequest and field.name == "content")
        and _holds_text(field.type, is_named=field.name in _NAMES | _EXPRESSIONS)
    )


def _holds_text(hint: Any, *, is_named: bool) -> bool:
    """Whether a field of the type *hint* may hold words, or messages, which may have some.

    One whose texts are names may hold messages alone.
    """
    if typing.get_origin(hint) is typing.Annotated:
        return False  # a number in the form of a text
    if hint is Any or hint is str:
        return not is_named
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return True
    return any(_holds_text(each, is_named=is_named) for each in typing.get_args(hint))
