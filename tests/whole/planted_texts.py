"""Plant a text in every field that people speak in, of every request in the OpenAPI document.

What a request is refused for is taken out of it, by the path that the refusal names, until it is
taken: so as much is planted as can be stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from service.security import message_redaction
from tests.whole import matrix_requests
from tests.whole.house import House

Path = tuple[str | int, ...]

SECRETS: Final = (
    "ann.secret@example.org",
    "4111 1111 1111 1111",
    "DE89 3704 0044 0532 0130 00",
    "+49 30 7654321",
)
SAID: Final = f"Is the fence of {SECRETS[0]} red? {SECRETS[1]}, {SECRETS[2]}, {SECRETS[3]}"
"""What is planted: one of each kind."""

UNSAID: Final = frozenset(
    # Names and ids.
    "name id userId userPseudoId sessionId session servingConfig branch dataStore datastore engine"
    " document documents rankingConfig groundingConfig location parent model endpoint ragCorpora"
    " ragCorpus ragFileIds queryId answer chunk contextDocuments activeDocument cachedContent"
    " pageToken attributionToken assistToken answerQueryToken transactionId pageviewId panelId"
    " promotionIds tagIds pendingAsyncAssistOperationId updateMask after"
    # Filters and orders.
    " filter canonicalFilter metadataFilter condition orderBy rankingExpression"
    " customSearchOperators"
    # Instructions and sources of programs.
    " systemInstruction promptSpec modelPromptSpec generationConfig tools toolConfig"
    " searchResultList facts records groundingFacts answerCandidate userEvent".split()
)
"""Fields that the guide says are left alone."""
_CORROBORATED: Final = "CorroborateContent"
"""Its content is held against sources, and left alone as those are."""
_SOURCES: Final[dict[str, Any]] = {
    "Rank": {"records": [{"id": "1", "content": "The fence is red."}]},
    "CheckGrounding": {"answerCandidate": "It is red.", "facts": [{"factText": "It is red."}]},
}
"""What these methods do not go without."""
_MOST_REFUSALS: Final = 80


class Outcome(NamedTuple):
    """What became of one method: how many fields were taken, and the last status."""

    method: str
    taken: int
    status: int
    said: str


async def plant(inside: House) -> list[Outcome]:
    """Call each method that people speak to, once, with all that it takes."""
    _, content = await inside.call("", "GET", "/openapi.json")
    document = json.loads(content)
    outcomes: dict[str, Outcome] = {}
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            method = operation["operationId"].partition("Of")[0]
            if path in ("/livez", "/readyz") or method in outcomes or verb == "delete":
                continue
            if "200" in operation["responses"] and message_redaction.concerns(method):
                outcomes[method] = await _planted(
                    inside, document, method, verb.upper(), path, operation
                )
    return list(outcomes.values())


async def _planted(
    inside: House, document: Any, method: str, verb: str, path: str, operation: Any
) -> Outcome:
    path = matrix_requests.filled(path, {**inside.ids, "session": "s-anna"})
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    leaves = list(_leaves(document, schema.get("schema", {}), (), ()))
    if method == _CORROBORATED:
        leaves = [leaf for leaf in leaves if leaf[0] != "content"]
    parameters = [
        each["name"]
        for each in operation.get("parameters", ())
        if each["in"] == "query" and each["schema"] == {"type": "string"}
    ]
    asked = [name for name in parameters if name.rpartition(".")[2] not in UNSAID]
    status, said = 0, ""
    for _ in range(_MOST_REFUSALS):
        query = "&".join(f"{name}={quote(SAID)}" for name in asked)
        if "userEvent" in parameters:
            event = {
                "eventType": "search",
                "userPseudoId": "u",
                "searchInfo": {"searchQuery": SAID},
            }
            query += f"&userEvent={quote(json.dumps(event))}"
        body = _body(method, inside.corpus, leaves) if verb in ("POST", "PATCH") else None
        status, content = await inside.call("", verb, f"{path}?{query}".rstrip("?"), body)
        said = content.decode(errors="replace")
        if status not in (400, 404, 501):
            break
        leaves, asked, is_less = _without(said, leaves, asked)
        if not is_less:
            break
    return Outcome(method, len(leaves) + len(asked), status, said)


def _body(method: str, corpus: str, leaves: list[Path]) -> Any:
    body = _SOURCES.get(method) or matrix_requests.body(method, corpus)
    for leaf in leaves:
        body = _set(body, leaf, SAID)
    return body


def _set(into: Any, path: Path, value: str) -> Any:
    if not path:
        return value
    head, *rest = path
    if isinstance(head, int):
        items = list(into or [])
        items[:1] = [_set(items[0] if items else None, tuple(rest), value)]
        return items
    fields = dict(into or {})
    fields[head] = _set(fields.get(head), tuple(rest), value)
    return fields


def _leaves(document: Any, schema: Any, path: Path, seen: tuple[str, ...]) -> Iterator[Path]:
    """Yield where *schema* has free texts."""
    if reference := schema.get("$ref"):
        if seen.count(reference) < 1:
            name = reference.rpartition("/")[2]
            yield from _leaves(
                document, document["components"]["schemas"][name], path, (*seen, reference)
            )
        return
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _leaves(document, each, path, seen)
    match schema.get("type"):
        case "string" if not {"enum", "format", "pattern", "contentEncoding"} & set(schema):
            yield path
        case "array":
            yield from _leaves(document, schema.get("items", {}), (*path, 0), seen)
        case "object":
            for name, each in _fields(schema).items():
                yield from _leaves(document, each, (*path, name), seen)
        case _:
            return


def _fields(schema: Any) -> dict[str, Any]:
    """Return the schemas of the fields of an object; of any that it may have, one."""
    fields: dict[str, Any] = {**schema.get("properties", {})}
    if not fields and schema.get("additionalProperties") is not False:
        more = schema.get("additionalProperties")
        fields["k"] = more if isinstance(more, dict) and more else {"type": "string"}
    return {name: each for name, each in fields.items() if name not in UNSAID}


def _without(said: str, leaves: list[Path], asked: list[str]) -> tuple[list[Path], list[str], bool]:
    """Return what is left when the field that a refusal names is taken out."""
    error = json.loads(said)["error"]
    fields = [
        violation["field"]
        for detail in error.get("details", ())
        for violation in detail.get("fieldViolations", ())
    ]
    field = (fields or [error["message"].partition(":")[0]])[0]
    while field:
        kept = [leaf for leaf in leaves if field not in _told(leaf)]
        other = [name for name in asked if not name.startswith(field)]
        if len(kept) + len(other) < len(leaves) + len(asked):
            return kept, other, True
        field = field.rpartition(".")[0]
    return leaves, asked, False


def _told(path: Path) -> str:
    told = ""
    for step in path:
        told += f"[{step}]" if isinstance(step, int) else f".{step}"
    return told.removeprefix(".")
