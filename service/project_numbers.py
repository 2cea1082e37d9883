"""Let a project be named by the number that an operator assigned to its id.

Projects have an id and a number in the public APIs, and programs use either. Inside the service
there is the id only: names are resolved where a request comes in, before anything is decided about
it, and written again in the form of the request where the reply goes out. A number that is not
assigned is the id of a project of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

import msgspec

from sessions import names
from sessions.resources.operations import Operation, Status

T = TypeVar("T", bound=msgspec.Struct)

_PROJECT: Final = re.compile(r"projects/([^/]+)(?=/|$)")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,18}")
NAME_FIELDS: Final = frozenset(
    "name parent location session answer document document_name documents chunk query_id"
    " serving_config grounding_config ranking_config data_store datastore engine branch"
    " data_stores rag_corpus rag_corpora endpoint model active_document context_documents"
    " purge_sample".split()
)
"""The fields that hold names of resources, in every message: no other text is touched."""
_WIRE_NAMES: Final = {
    re.sub("_([a-z])", lambda match: match[1].upper(), name) for name in NAME_FIELDS
}


class ProjectNumbers:
    """The numbers that are assigned to projects, none by default."""

    def __init__(self, assigned: Sequence[str] = ()) -> None:
        """*assigned* is ``id=number`` for each project; see `check`."""
        pairs = [pair.split("=") for pair in assigned]
        self._ids = {number: project for project, number in pairs}

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self._ids)

    def number_in(self, name: str) -> str:
        """Return the assigned number that *name* has its project by, "" where it has none."""
        match = _PROJECT.match(name) if self._ids else None
        return match[1] if match and match[1] in self._ids else ""

    def resolved(self, name: str) -> str:
        """Return *name* with the id of its project."""
        number = self.number_in(name)
        return f"projects/{self._ids[number]}{name[9 + len(number) :]}" if number else name

    def resolve(self, message: T) -> T:
        """Return *message*, a request, with the ids of projects in its names."""
        return _Renaming(self.resolved, str).message(message) if self._ids else message

    def shown(self, message: T, number: str) -> T:
        """Return *message*, a reply, as who named the project by *number* is told it."""
        if not number:
            return message
        before, after = f"projects/{self._ids[number]}/", f"projects/{number}/"

        def rename(name: str) -> str:
            return after + name[len(before) :] if name.startswith(before) else name

        def retell(text: str) -> str:
            return text.replace(before, after)

        return _Renaming(rename, retell).message(message)

    def told(self, text: str, number: str) -> str:
        """Return what our own *text* says, as who named the project by *number* is told it."""
        project = self._ids.get(number, number)
        return text.replace(f"projects/{project}/", f"projects/{number}/") if number else text


def check(assigned: Sequence[str]) -> None:
    """Refuse what assigns no number, or one twice.

    Raises:
        ValueError: with the remedy.
    """
    ids: set[str] = set()
    numbers: set[str] = set()
    for pair in assigned:
        project, equals, number = pair.partition("=")
        if not project or not equals or "/" in project or names.is_forbidden(project):
            raise ValueError("give id=number for each project, such as colloquy=123456789012")
        if not _NUMBER.fullmatch(number):
            raise ValueError(f"'{number[:30]}' is no project number; give 1 to 19 digits")
        if project in ids or number in numbers:
            raise ValueError(f"'{pair}' assigns again what is assigned; give each id one number")
        ids.add(project)
        numbers.add(number)
    if both := ids & numbers:
        raise ValueError(f"{min(both)} is both an id and a number; a number stands for one id")


class _Renaming(NamedTuple):
    """What becomes of names, and of texts of ours that have names in them."""

    name: Callable[[str], str]
    text: Callable[[str], str]

    def message(self, message: T) -> T:
        """Return *message* with its names renamed, at every depth."""
        changed: dict[str, Any] = {}
        for field in message.__struct_fields__:
            before = getattr(message, field)
            after = self._value(before, type(message), field)
            if after is not before:
                changed[field] = after
        return msgspec.structs.replace(message, **changed) if changed else message

    def _value(self, value: Any, owner: type[msgspec.Struct], field: str) -> Any:
        match value:
            case str() if owner is Status:
                return self.text(value)
            case str():
                return self.name(value) if field in NAME_FIELDS else value
            case msgspec.Struct():
                return self.message(value)
            case tuple():
                items = cast("tuple[Any, ...]", value)
                return tuple(self._value(each, owner, field) for each in items)
            case dict() if owner is Operation or owner is Status:
                return self._any(value, self.text if owner is Status else None)  # pyright: ignore[reportUnknownArgumentType]
            case _:
                return value  # what callers put into their own fields is theirs

    def _any(self, value: dict[str, Any], text: Callable[[str], str] | None) -> dict[str, Any]:
        """Return a google.protobuf.Any, which is plain JSON here, with its names renamed."""
        made: dict[str, Any] = {}
        for key, each in value.items():
            rename = text or (self.name if key in _WIRE_NAMES else None)
            items = cast("list[Any]", each) if isinstance(each, list) else [each]
            renamed = [
                self._any(cast("dict[str, Any]", one), text)
                if isinstance(one, dict)
                else rename(one)
                if rename and isinstance(one, str)
                else one
                for one in items
            ]
            made[key] = renamed if isinstance(each, list) else renamed[0]
        return made
