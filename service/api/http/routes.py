"""The path templates of the API routes, in the one form of `verbs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sessions import names
from sessions.errors import InvalidArgument

LOCATION: Final = "/v1/projects/{project:str}/locations/{location:str}"
COLLECTION: Final = LOCATION + "/collections/{collection:str}"
DATA_STORE: Final = COLLECTION + "/dataStores/{data_store:str}"
ENGINE: Final = COLLECTION + "/engines/{engine:str}"
BRANCH: Final = DATA_STORE + "/branches/{branch:str}"


def both(tail: str) -> list[str]:
    """Return the paths of *tail* under a data store and under an engine."""
    return [DATA_STORE + tail, ENGINE + tail]


def operation(name: str) -> Callable[[Any, Any, list[Any]], str]:
    """Return a maker of operation ids: *name*, told apart where a route has several paths."""

    def make(_handler: Any, _method: Any, components: list[Any]) -> str:
        engine = "engines" in components and "dataStores" not in components
        return f"{name}OfEngine" if engine and not name.endswith("Engine") else name

    return make


_PARENTS: Final = {
    "dataStores": "DataStore",
    "engines": "Engine",
    "collections": "Collection",
    "branches": "Branch",
    "locations": "Location",
    "ragCorpora": "RagCorpus",
    "ragFiles": "RagFile",
    "ragEngineConfig": "RagEngineConfig",
    "projects": "Project",
}


def by_path(name: str) -> Callable[[Any, Any, list[Any]], str]:
    """Return a maker of operation ids for a route with paths under many kinds of parents."""

    def make(_handler: Any, _method: Any, components: list[Any]) -> str:
        parents = [_PARENTS[each] for each in components[:-1] if each in _PARENTS]
        return f"{name}Of{parents[-1]}"

    return make


def collection(parent: str) -> str:
    """Return the collection that *parent* is or, being a location, has by default."""
    return parent if "/collections/" in parent else f"{parent}/collections/default_collection"


def check_name(given: str, wanted: str, *, field: str) -> None:
    """Refuse a ``name`` in a body that is not the one in the path (guide/filters.md)."""
    if given and names.canonical(given) != wanted:
        raise InvalidArgument(f"{field}: is not the name in the path", field=field)
