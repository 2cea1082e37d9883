"""Refuse by name what the public clients know and this service does not offer (AIP-193, 501)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from litestar.handlers import HTTPRouteHandler, route
from litestar.types import Method

from service.api.http import routes, versions
from sessions.errors import Unimplemented
from sessions.resources.base import Empty


class Absent(NamedTuple):
    """A method that is known and not offered."""

    name: str
    method: Method
    paths: Sequence[str]
    versions: Sequence[str] = versions.SEARCH


_BETA: Final = ("v1beta",)
_ALPHA: Final = ("v1alpha",)
_RAG: Final = ("v1beta1",)
_CORPUS: Final = routes.LOCATION + "/ragCorpora/{rag_corpus:str}"
_DATA_SCHEMAS: Final = _CORPUS + "/ragDataSchemas"
_METADATA: Final = _CORPUS + "/ragFiles/{rag_file:str}/ragMetadata"
_PROCESSING: Final = routes.DATA_STORE + "/documentProcessingConfig"


def _nested(name: str, path: str) -> list[Absent]:
    """Return the methods of a collection that only the RAG clients' beta has."""
    one = f"{path}/{{{name[0].lower()}{name[1:]}:str}}"
    return [
        Absent(f"Create{name}", "POST", [path], _RAG),
        Absent(f"BatchCreate{name}s", "POST", [f"{path}/:batchCreate"], _RAG),
        Absent(f"List{name}s", "GET", [path], _RAG),
        Absent(f"Get{name}", "GET", [one], _RAG),
        Absent(f"Update{name}", "PATCH", [one], _RAG),
        Absent(f"Delete{name}", "DELETE", [one], _RAG),
        Absent(f"BatchDelete{name}s", "POST", [f"{path}/:batchDelete"], _RAG),
    ]


ABSENT: Final = [
    *(
        Absent(f"{verb.title()}Engine", "POST", [f"{routes.ENGINE}/:{verb}"], _BETA + _ALPHA)
        for verb in ("pause", "resume", "tune")
    ),
    Absent("GetIamPolicy", "GET", [routes.ENGINE + "/:getIamPolicy"], _BETA),
    Absent("SetIamPolicy", "POST", [routes.ENGINE + "/:setIamPolicy"], _BETA),
    Absent("ListFiles", "GET", [routes.ENGINE + "/sessions/{session:str}/files"], _ALPHA),
    Absent("GetDocumentProcessingConfig", "GET", [_PROCESSING], _ALPHA),
    Absent("UpdateDocumentProcessingConfig", "PATCH", [_PROCESSING], _ALPHA),
    Absent(
        "StreamAssist",
        "POST",
        [routes.ENGINE + "/assistants/{assistant:str}/:streamAssist"],
        ("v1", "v1beta"),
    ),
    *_nested("RagDataSchema", _DATA_SCHEMAS),
    *_nested("RagMetadata", _METADATA),
]
"""All of them."""


def handlers() -> list[HTTPRouteHandler]:
    """Return a handler for each method, which says that it is not offered."""
    return [_handler(absent) for absent in ABSENT]


def _handler(absent: Absent) -> HTTPRouteHandler:
    async def refuse() -> Empty:
        raise Unimplemented(
            f"{absent.name}: this service does not offer it; see /docs for what it does",
            reason="METHOD_NOT_OFFERED",
            method=absent.name,
        )

    refuse.__doc__ = f"Answer that {absent.name} is not offered."
    return route(
        list(absent.paths),
        http_method=absent.method,
        status_code=200,
        operation_id=absent.name,
        tags=["Not offered"],
        opt={"versions": tuple(absent.versions), "query": None, "refused": True},
    )(refuse)
