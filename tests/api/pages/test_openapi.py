"""The published documents: well formed, complete, and kept by the service itself."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from service.api.pages import field_descriptions
from tests.clients.discovery import Api, Service, call

_NOT_TRIED: Final = re.compile(
    r"/upload/|/publishers/|/endpoints/|/rag|[cC]ontexts$|/engines/{engine}/[^:]*/|"
    r"(?<!{branch})/operations"
)
"""What has a suite of its own, takes no JSON, or is tried under another parent."""


@pytest.fixture(scope="module")
def document(service: Service) -> Any:
    return call(f"{service.url}/openapi.json").body


@pytest.fixture(scope="module")
def asyncapi(service: Service) -> Any:
    return call(f"{service.url}/asyncapi.json").body


def references(node: Any) -> Iterator[str]:
    """Yield every reference in a document."""
    if isinstance(node, dict):
        for key, value in node.items():  # pyright: ignore[reportUnknownVariableType]
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:  # pyright: ignore[reportUnknownVariableType]
            yield from references(value)


def resolved(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def test_every_reference_leads_somewhere(document: Any, asyncapi: Any) -> None:
    for one in (document, asyncapi):
        found = set(references(one))
        assert found
        for reference in found:
            assert resolved(one, reference)


def test_every_component_is_a_schema(document: Any, asyncapi: Any) -> None:
    """A schema that is none would make this raise."""
    for one in (document, asyncapi):
        for schema in one["components"]["schemas"].values():
            jsonschema_rs.meta.validate(schema)


def test_nothing_names_a_module_of_ours(document: Any, asyncapi: Any) -> None:
    """Who reads the documents has not the code."""
    for one in (document, asyncapi):
        for name, schema in one["components"]["schemas"].items():
            about = schema.get("description", "")
            assert not re.search(r"\b(?:service|sessions|streaming)\.\w", about), name


def test_every_field_and_parameter_is_described(document: Any, asyncapi: Any) -> None:
    told: dict[str, str] = {}
    for one in (document, asyncapi):
        for name, schema in one["components"]["schemas"].items():
            for field, property_ in schema.get("properties", {}).items():
                told[f"{name}.{field}"] = property_["description"]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for each in operation["parameters"]:
                told[f"{method} {path} {each['name']}"] = each["description"]
    assert len(told) > 2_000
    # A sentence, and not the name said once more.
    assert [name for name, about in told.items() if not re.match(r"\S+ .*\.", about)] == []


def test_no_description_is_left_of_what_is_gone(document: Any, asyncapi: Any) -> None:
    known = {"Last-Event-ID"}
    known |= {f"{{{name}}}" for path in document["paths"] for name in re.findall(r"{(\w+)}", path)}
    for one in (document, asyncapi):
        for name, schema in one["components"]["schemas"].items():
            for field in schema.get("properties", {}):
                # A message whose name several have is told apart by its module, before the name.
                starts = (at for at, letter in enumerate(name) if letter.isupper())
                known |= {field, *(f"{name[at:]}.{field}" for at in starts)}
    assert {*field_descriptions.texts()} - known == set()


def test_a_field_without_effect_says_so(document: Any) -> None:
    request = document["components"]["schemas"]["AnswerQueryRequest"]["properties"]
    assert "Accepted without effect: " in request["userLabels"]["description"]
    assert "effect" not in request["query"]["description"]


def test_operations_have_ids_of_their_own_and_public_paths(document: Any) -> None:
    ids: list[str] = []
    for path, item in document["paths"].items():
        assert ":str}" not in path
        assert "/:" not in path
        named = re.findall(r"{(\w+)}", path)
        for operation in item.values():
            ids.append(operation["operationId"])
            taken = [p["name"] for p in operation["parameters"] if p["in"] == "path"]
            assert taken == named
            assert operation["summary"]
            assert "400" in operation["responses"]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/sessions", {"pageSize", "pageToken", "filter", "orderBy", "turnLimit", "turnOffset"}),
        ("/branches/{branch}/documents", {"pageSize", "pageToken"}),
        (":completeQuery", {"query", "queryModel", "userPseudoId", "includeTailSuggestions"}),
        (
            "/branches/{branch}/batchGetDocumentsMetadata",
            {"matcher.urisMatcher.uris", "matcher.fhirMatcher.fhirResources"},
        ),
    ],
)
def test_parameters_are_those_of_the_request(document: Any, path: str, names: set[str]) -> None:
    prefix = "/v1/projects/{project}/locations/{location}/collections/{collection}"
    operation = document["paths"][f"{prefix}/dataStores/{{data_store}}{path}"]["get"]
    assert {p["name"] for p in operation["parameters"] if p["in"] == "query"} == names


def test_what_asks_who_calls_says_how_to_show_it(document: Any) -> None:
    """Probes ask nobody, and may be called without."""
    schemes = document["components"]["securitySchemes"]
    assert schemes["apiKey"]["name"] == "x-goog-api-key"
    for path, item in document["paths"].items():
        for operation in item.values():
            shown = {name for each in operation["security"] for name in each}
            assert shown == (set() if path in ("/livez", "/readyz") else {*schemes})
            assert "403" in operation["responses"]


def test_what_is_only_in_a_beta_stands_under_it(document: Any) -> None:
    paths = [path for path in document["paths"] if path.endswith(":removeSuggestion")]
    assert [path.split("/")[1] for path in paths] == ["v1beta"]
    paths = [path for path in document["paths"] if path.endswith(":setIamPolicy")]
    assert [path.split("/")[1] for path in paths] == ["v1beta"]
    assert set(document["paths"][paths[0]]["post"]["responses"]) >= {"501"}
    assert "200" not in document["paths"][paths[0]]["post"]["responses"]


def test_the_socket_document_names_every_frame_and_every_end(asyncapi: Any) -> None:
    channel = asyncapi["channels"]["answers"]
    assert channel["address"] == "/v1/ws"
    assert {"answer", "resume", "element", "goaway"} <= set(channel["messages"])
    assert {"4400", "1012"} <= set(channel["x-close-codes"])
    ask = resolved(asyncapi, asyncapi["components"]["messages"]["answer"]["payload"]["$ref"])
    assert ask["properties"]["type"]["const"] == "answer"
    assert ask["properties"]["request"]["$ref"].endswith("/AnswerQueryRequest")
    assert set(asyncapi["operations"]) == {"send", "receive"}


def is_no_failure_of_ours(_: Any, response: Any, __: Any) -> None:
    """A source that is not offered is refused with 501; any other such status is our fault."""
    assert response.status_code < 500 or response.status_code == 501, response.text


@pytest.fixture(scope="module")
def schema(service: Service, document: Any) -> Any:
    """The document as schemathesis reads it, without what has a suite of its own."""
    paths = {path: item for path, item in document["paths"].items() if not _NOT_TRIED.search(path)}
    # Imported here: to import it takes as long as it takes to collect a thousand tests.
    loaded: Any = importlib.import_module("schemathesis").openapi.from_dict(
        {**document, "paths": paths}
    )
    loaded.config.update(base_url=service.url)
    return loaded


def operations(schema: Any) -> Iterator[Any]:
    for result in schema.get_all_operations():
        operation = result.ok()
        if "Not offered" not in operation.tags and "200" in operation.definition.raw["responses"]:
            yield operation


# schemathesis draws from `random` in its strategies
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_whatever_the_document_allows_is_answered_as_it_says(schema: Any, v1: Api) -> None:
    """No failure of ours, no status and no body that the document does not name."""
    store = v1.data_store()
    v1.import_(store, v1.document("a", "# Title\n\nSome text."))
    known = {
        "project": v1.project,
        "location": "global",
        "collection": "default_collection",
        "data_store": "portal",
        "branch": "0",
        "document": "a",
        "serving_config": "default_config",
    }
    checks = importlib.import_module("schemathesis.specs.openapi.checks")
    kept = (
        is_no_failure_of_ours,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    )
    tried = 0
    for operation in operations(schema):

        @settings(
            max_examples=5,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        @given(case=operation.as_strategy())
        def attempt(case: Any) -> None:
            nonlocal tried
            case.path_parameters = {
                name: known.get(name, value) for name, value in case.path_parameters.items()
            }
            case.call_and_validate(checks=kept)
            tried += 1

        attempt()
    assert tried > 100
