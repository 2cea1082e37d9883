"""Record which documented fields and enum values the official clients have read in this process.

Nothing is listed by hand: messages, fields and values come from the descriptors of the clients.
What a message of one version of an API has been read with counts for all its versions.
"""

from __future__ import annotations

import collections
import functools
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard, cast

import httpx
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tests.packages import Package

_VERSION: Final = re.compile(r"\.v\d+(?:alpha|beta)?\d*(?=\.)")
_WELL_KNOWN: Final = "google.protobuf."
_OWNER: Final = "google.cloud."
_search: Final = Package("google.cloud.discoveryengine_v1beta")
_generation: Final = Package("google.cloud.aiplatform_v1beta1")
_seen: Final = collections.defaultdict[str, set[str]](set)


def roots() -> Sequence[Any]:
    """Return the messages that are counted with all in them, in the version that has most."""
    return (
        _search.Answer,
        _search.Conversation,
        _generation.RetrieveContextsResponse,
        _generation.GenerateContentResponse,
    )


class Message(NamedTuple):
    """A message with what of it has been read: fields, and enum values as ``field=VALUE``."""

    name: str
    """With its API, without its version: ``discoveryengine.Answer.Step``."""
    read: Sequence[str]
    unread: Sequence[str]


def record(message: Any) -> None:
    """Remember what carries a value in *message*, of protobuf or proto-plus, at any depth."""
    message = getattr(message, "_pb", message)
    seen = _seen[_versionless(message.DESCRIPTOR)]
    for field, value in message.ListFields():
        seen.add(field.name)
        values = _values(field, value)
        if field.enum_type is not None:
            names = (field.enum_type.values_by_number.get(one) for one in values)
            seen.update(f"{field.name}={one.name}" for one in names if one is not None)
        elif _is_counted(field.message_type):
            for one in values:
                if hasattr(one, "DESCRIPTOR"):  # a map may have plain values
                    record(one)


def _recording(interceptor: type[Any]) -> Any:
    """Return an *interceptor* of a REST transport that records each response of its service."""

    def unary(_: Any, response: Any) -> Any:
        record(response)
        return response

    def streamed(_: Any, responses: Any) -> Any:
        return _recorded(responses)

    kept = {
        name: streamed if name.startswith("post_stream_") else unary
        for name in dir(interceptor)
        if name.startswith("post_")
        and not name.endswith(("_with_metadata", "_operation", "_operations"))
    }
    return type(f"Recording{interceptor.__name__}", (interceptor,), kept)()


def transport(client: type[Any]) -> Any:
    """Return the REST transport of a gapic *client*, recording; the client calls it for its own."""
    rest = importlib.import_module(f"{client.__module__.rpartition('.')[0]}.transports.rest")
    name = client.__name__.removesuffix("Client")
    interceptor = _recording(getattr(rest, f"{name}RestInterceptor"))
    return functools.partial(getattr(rest, f"{name}RestTransport"), interceptor=interceptor)


def http_client() -> httpx.Client:
    """Return an HTTP client for the generation client, recording what is no stream."""

    def read(response: httpx.Response) -> None:
        called = response.request.url.path.rpartition(":")[2]
        if called == "generateContent" and response.is_success:
            generated = _generation.GenerateContentResponse
            record(generated.from_json(response.read(), ignore_unknown_fields=True))

    return httpx.Client(event_hooks={"response": [read]})


def _recorded(responses: Any) -> Iterator[Any]:
    for response in responses:
        record(response)
        yield response


def report() -> list[Message]:
    """Return every message under `roots` once, in the order in which they are met."""
    found: dict[str, Descriptor] = {}
    for root in roots():
        _collect(root.pb().DESCRIPTOR, found)
    return [_message(name, descriptor) for name, descriptor in found.items()]


def _collect(descriptor: Descriptor, found: dict[str, Descriptor]) -> None:
    name = _versionless(descriptor)
    if name in found:
        return
    if not descriptor.GetOptions().map_entry:
        found[name] = descriptor
    for field in descriptor.fields:
        if _is_counted(field.message_type):
            _collect(field.message_type, found)


def _message(name: str, descriptor: Descriptor) -> Message:
    seen = _seen[name]
    every = list[str]()
    for field in descriptor.fields:
        every.append(field.name)
        if field.enum_type is not None:
            every += [
                f"{field.name}={value.name}" for value in field.enum_type.values if value.number
            ]
    return Message(
        name.removeprefix(_OWNER),
        [one for one in every if one in seen],
        [one for one in every if one not in seen],
    )


def _values(field: FieldDescriptor, value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return list(cast("Mapping[Any, Any]", value).values())
    return list(value) if field.is_repeated else [value]


def _is_counted(descriptor: Descriptor | None) -> TypeGuard[Descriptor]:
    return descriptor is not None and not descriptor.full_name.startswith(_WELL_KNOWN)


def _versionless(descriptor: Descriptor) -> str:
    return _VERSION.sub("", descriptor.full_name)
