"""What the cells of the matrix send: paths that lead to what is there, and bodies that name it."""

from __future__ import annotations

import re
import time
from typing import Any, Final

from tests.whole.house import LOCATION, STORE, House

_CONFIG: Final = f"{STORE}/servingConfigs/default_config"
_SESSION: Final = f"{STORE}/sessions/s-anna"
_SEARCH: Final[dict[str, Any]] = {"retrieval": {"vertexAiSearch": {"datastore": STORE}}}
_TEXT: Final = "What is the fence?"
_CONTENTS: Final = [{"role": "user", "parts": [{"text": _TEXT}]}]

NAMES_STORE: Final = frozenset(
    {
        *("RetrieveContexts", "AsyncRetrieveContexts", "AugmentPrompt", "AskContexts"),
        *("GenerateContent", "StreamGenerateContent", "GenerateGroundedContent"),
        "WriteUserEvent",
    }
)
"""Methods whose bodies here name the data store, or the corpus, that is called for."""
EVENTS: Final = frozenset({"WriteUserEvent", "CollectUserEvent"})
"""Methods that are told here what the owner did."""
NAMES_SESSION: Final = frozenset({"Search", "SearchLite", "AnswerQuery", "StreamAnswerQuery"})
"""Methods whose bodies here name the session of the owner."""
MISSING: Final = frozenset(
    {"EmbedContent", "BatchEmbedContents", "Predict", "ImportRagFiles", "DownloadUserData"}
)
"""Methods that find nothing to work with, whoever calls them."""
SECOND_TOKEN: Final = frozenset({"MergeVisitor", "MintVisitorToken"})
"""Methods that refuse people who bring no token of a visitor in the body; so nobody does here."""
PARAMETERS: Final = {
    "CompleteQuery": "query=fen",
    "CollectUserEvent": "userEvent=%7B%22eventType%22%3A%22search%22%2C%22userPseudoId%22%3A%22"
    "anna%22%7D",
    "ListSessions": "pageSize=1000",
    "GetSession": "includeAnswerDetails=true",
}
_IDS: Final = {
    "project": "p",
    "location": "global",
    "collection": "default_collection",
    "data_store": "a",
    "engine": "a",
    "branch": "0",
    "serving_config": "default_config",
    "publisher": "google",
}


def filled(path: str, ids: dict[str, str]) -> str:
    """Return *path* with ids of what is there."""
    parent = path.partition("/{answer}")[0].partition("/sessions/")[0]
    engine = parent.endswith("/engines/{engine}")
    answer = ids.get("answer of engine" if engine else "answer of store", "1")
    values = {**_IDS, "answer": answer, **ids}
    return re.sub(r"{(\w+)}", lambda found: values.get(found[1], "x"), path)


async def made(inside: House, path: str) -> dict[str, str]:
    """Make what the last id of *path* is of, to be deleted, and return that id."""
    parent = filled(path, inside.ids).partition("/v1/")[2].rpartition("/")[0]
    above, _, collection = parent.rpartition("/")
    spare = f"spare-{time.monotonic_ns()}"
    match collection:
        case "sessions" | "conversations":
            body = {"userPseudoId": "anna"}
            kept = await inside.made("POST", parent, body)
            return {collection[:-1]: kept["name"].rpartition("/")[2]}
        case "documents":
            await inside.made("POST", f"{parent}?documentId={spare}", {"jsonData": "{}"})
            return {"document": spare}
        case "dataStores":
            await inside.made("POST", f"{parent}?dataStoreId={spare}", {"displayName": "spare"})
            return {"data_store": spare}
        case "engines":
            engine = {"displayName": "spare", "dataStoreIds": ["a"]}
            engine["solutionType"] = "SOLUTION_TYPE_SEARCH"
            await inside.made("POST", f"{parent}?engineId={spare}", engine)
            return {"engine": spare}
        case "ragCorpora":
            return {"rag_corpus": await inside.new_corpus()}
        case "ragFiles":
            return {"rag_file": await inside.new_file()}
        case _:
            return {"operation": await inside.new_operation(above)}


def body(method: str, corpus: str) -> Any:
    """Return a body for *method*; it names what is there, and the *corpus*."""
    rag = {"vertexRagStore": {"ragCorpora": [corpus]}}
    tools = [{"retrieval": rag}]
    bodies: dict[str, Any] = {
        "AnswerQuery": {"query": {"text": _TEXT}, "session": _SESSION},
        "StreamAnswerQuery": {"query": {"text": _TEXT}, "session": _SESSION},
        "Search": {"query": "fence", "session": _SESSION},
        "SearchLite": {"query": "fence", "session": _SESSION},
        "ConverseConversation": {"query": {"input": _TEXT}},
        "AdvancedCompleteQuery": {"query": "fen"},
        "WriteUserEvent": {"eventType": "search", "userPseudoId": "anna", "dataStore": STORE},
        "RetrieveContexts": {**rag, "query": {"text": _TEXT}},
        "AugmentPrompt": {**rag, "contents": _CONTENTS},
        "AskContexts": {"query": {"text": _TEXT}, "tools": tools},
        "AsyncRetrieveContexts": {"query": {"text": _TEXT}, "tools": tools},
        "GenerateContent": {"contents": _CONTENTS, "tools": [_SEARCH]},
        "StreamGenerateContent": {"contents": _CONTENTS, "tools": [_SEARCH]},
        "GenerateGroundedContent": {
            "location": LOCATION,
            "contents": _CONTENTS,
            "groundingSpec": {"groundingSources": [{"searchSource": {"servingConfig": _CONFIG}}]},
        },
        "MintToken": {"subject": "anna"},
    }
    return bodies.get(method, {})
