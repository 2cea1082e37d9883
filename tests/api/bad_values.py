"""Values of the right type that are wrong all the same: the request, and the field at fault."""

from __future__ import annotations

from typing import Any, Final

S: Final = "{store}/servingConfigs/default_config:search"
D: Final = "{store}/branches/0/documents"
G: Final = "{location}:generateGroundedContent"
WRITE: Final = [{"role": "user", "parts": [{"text": "What?"}]}]
INLINE: Final = {"inlineSource": {"groundingFacts": [{"factText": "A fact."}]}}
BAD_VALUES: Final[list[tuple[str, str, Any, str]]] = [
    # data stores and engines
    ("POST", "{collection}/dataStores?dataStoreId=", {"displayName": "x"}, "dataStoreId"),
    ("POST", "{collection}/dataStores?dataStoreId=Up", {"displayName": "x"}, "dataStoreId"),
    ("POST", "{collection}/dataStores?dataStoreId=x", {}, "dataStore.displayName"),
    (
        "POST",
        "{collection}/dataStores?dataStoreId=x",
        {"displayName": "x" * 129},
        "dataStore.displayName",
    ),
    (
        "POST",
        "{collection}/dataStores?dataStoreId=x",
        {"displayName": "x", "name": "{collection}/dataStores/y"},
        "dataStore.name",
    ),
    (
        "POST",
        "{collection}/dataStores?dataStoreId=x",
        {
            "displayName": "x",
            "documentProcessingConfig": {
                "chunkingConfig": {"layoutBasedChunkingConfig": {"chunkSize": 99}}
            },
        },
        "dataStore.documentProcessingConfig.chunkingConfig.layoutBasedChunkingConfig.chunkSize",
    ),
    (
        "POST",
        "{collection}/dataStores?dataStoreId=x&cmekConfigName=a&disableCmek=true",
        {"displayName": "x"},
        "disableCmek",
    ),
    ("PATCH", "{store}?updateMask=createTime", {}, "updateMask"),
    ("PATCH", "{store}?updateMask=name", {}, "updateMask"),
    ("PATCH", "{store}?updateMask=nothing", {}, "updateMask"),
    ("PATCH", "{store}?updateMask=displayName", {}, "dataStore.displayName"),
    ("GET", "{collection}/dataStores?pageSize=-1", None, "pageSize"),
    ("GET", "{collection}/dataStores?pageToken=rubbish", None, "pageToken"),
    ("GET", "{collection}/dataStores?filter=colour=red", None, "filter"),
    ("POST", "{collection}/engines?engineId=x", {"displayName": "x"}, "engine.dataStoreIds"),
    ("POST", "{collection}/engines?engineId=-", {"displayName": "x"}, "engineId"),
    ("PATCH", "{engine}?updateMask=dataStoreIds", {}, "engine.dataStoreIds"),
    ("PATCH", "{engine}?updateMask=solutionType", {}, "updateMask"),
    ("GET", "{collection}/engines?filter=(", None, "filter"),
    # documents
    ("POST", f"{D}?documentId=", {}, "documentId"),
    ("POST", f"{D}?documentId=a b", {}, "documentId"),
    ("POST", f"{D}?documentId=x", {"id": "y"}, "document.id"),
    ("POST", f"{D}?documentId=x", {"name": "{store}/branches/0/documents/y"}, "document.name"),
    ("POST", f"{D}?documentId=x", {"jsonData": "[]"}, "document.jsonData"),
    ("POST", f"{D}?documentId=x", {"structData": {}, "jsonData": "{}"}, "jsonData"),
    (
        "POST",
        f"{D}?documentId=x",
        {"content": {"rawBytes": "AAAA", "mimeType": "application/pdf"}},
        "document.content",
    ),
    ("PATCH", f"{D}/kept?updateMask=indexTime", {}, "updateMask"),
    ("PATCH", f"{D}/kept?updateMask=structData.a.b.&allowMissing=maybe", {}, "allowMissing"),
    ("GET", f"{D}?pageSize=-1", None, "pageSize"),
    ("GET", f"{D}?pageToken=AAAA", None, "pageToken"),
    ("POST", f"{D}:import", {}, "inlineSource"),
    ("POST", f"{D}:import", {"inlineSource": {}, "gcsSource": {}}, "gcsSource"),
    ("POST", f"{D}:import", {"inlineSource": {}, "updateMask": "nothing"}, "updateMask"),
    (
        "POST",
        f"{D}:import",
        {"inlineSource": {}, "autoGenerateIds": True, "idField": "x"},
        "idField",
    ),
    ("POST", f"{D}:purge", {}, "filter"),
    ("POST", f"{D}:purge", {"filter": "colour = = 1", "force": True}, "filter"),
    ("POST", f"{D}:purge", {"filter": "*", "inlineSource": {}, "force": True}, "filter"),
    (
        "POST",
        f"{D}:purge",
        {"inlineSource": {"documents": ["kept"]}, "force": True},
        "inlineSource.documents[0]",
    ),
    ("GET", "{store}/branches/0/batchGetDocumentsMetadata", None, "matcher.urisMatcher.uris"),
    # search
    ("POST", S, {"pageSize": -1}, "pageSize"),
    ("POST", S, {"offset": -1}, "offset"),
    ("POST", S, {"query": "x" * 10_001}, "query"),
    ("POST", S, {"filter": "colour"}, "filter"),
    ("POST", S, {"canonicalFilter": "("}, "canonicalFilter"),
    ("POST", S, {"orderBy": "colour sideways"}, "orderBy"),
    ("POST", S, {"orderBy": ","}, "orderBy"),
    ("POST", S, {"branch": "{store}/branches/7"}, "branch"),
    ("POST", S, {"userPseudoId": "x" * 129}, "userPseudoId"),
    ("POST", S, {"userLabels": {"Upper": "x"}}, "userLabels"),
    ("POST", S, {"session": "nothing"}, "session"),
    ("POST", S, {"session": "{engine}/sessions/-"}, "session"),
    ("POST", S, {"sessionSpec": {"queryId": "x"}}, "sessionSpec"),
    (
        "POST",
        S,
        {"session": "{store}/sessions/-", "sessionSpec": {"searchResultPersistenceCount": -1}},
        "sessionSpec.searchResultPersistenceCount",
    ),
    ("POST", S, {"facetSpecs": [{}]}, "facetSpecs[0].facetKey.key"),
    ("POST", S, {"facetSpecs": [{"facetKey": {"key": "a"}, "limit": -1}]}, "facetSpecs[0].limit"),
    (
        "POST",
        S,
        {"facetSpecs": [{"facetKey": {"key": "a", "orderBy": "up"}}]},
        "facetSpecs[0].facetKey.orderBy",
    ),
    (
        "POST",
        S,
        {"facetSpecs": [{"facetKey": {"key": "a", "intervals": [{"minimum": 2, "maximum": 1}]}}]},
        "facetSpecs[0].facetKey.intervals[0]",
    ),
    (
        "POST",
        S,
        {"facetSpecs": [{"facetKey": {"intervals": [{"minimum": 2, "exclusiveMinimum": 1}]}}]},
        "facetSpecs[0].facetKey.intervals[0].exclusiveMinimum",
    ),
    (
        "POST",
        S,
        {"boostSpec": {"conditionBoostSpecs": [{"condition": "a = 1", "boost": 2}]}},
        "boostSpec.conditionBoostSpecs[0].boost",
    ),
    (
        "POST",
        S,
        {"boostSpec": {"conditionBoostSpecs": [{"condition": "a"}]}},
        "boostSpec.conditionBoostSpecs[0].condition",
    ),
    ("POST", S, {"dataStoreSpecs": [{}]}, "dataStoreSpecs[0].dataStore"),
    (
        "POST",
        S,
        {"dataStoreSpecs": [{"dataStore": "{collection}/dataStores/other"}]},
        "dataStoreSpecs[0].dataStore",
    ),
    (
        "POST",
        S,
        {"dataStoreSpecs": [{"dataStore": "{store}", "filter": "x"}]},
        "dataStoreSpecs[0].filter",
    ),
    (
        "POST",
        S,
        {"dataStoreSpecs": [{"dataStore": "{store}", "numResults": -1}]},
        "dataStoreSpecs[0].numResults",
    ),
    *(
        ("POST", S, {"contentSearchSpec": {spec: {field: -1}}}, f"contentSearchSpec.{spec}.{field}")
        for spec, field in (
            ("summarySpec", "summaryResultCount"),
            ("snippetSpec", "maxSnippetCount"),
            ("extractiveContentSpec", "maxExtractiveAnswerCount"),
            ("extractiveContentSpec", "maxExtractiveSegmentCount"),
            ("extractiveContentSpec", "numPreviousSegments"),
            ("extractiveContentSpec", "numNextSegments"),
            ("chunkSpec", "numPreviousChunks"),
            ("chunkSpec", "numNextChunks"),
        )
    ),
    (
        "POST",
        S,
        {"contentSearchSpec": {"chunkSpec": {"numNextChunks": 4}}},
        "contentSearchSpec.chunkSpec.numNextChunks",
    ),
    # helpers
    ("GET", "{store}:completeQuery?queryModel=x", None, "queryModel"),
    (
        "POST",
        "{store}/completionConfig:completeQuery",
        {"suggestionTypeSpecs": [{"maxSuggestions": -1}]},
        "suggestionTypeSpecs[0].maxSuggestions",
    ),
    ("POST", "{store}/userEvents:write", {"userPseudoId": "x"}, "userEvent.eventType"),
    ("POST", "{store}/userEvents:write", {"eventType": "x"}, "userEvent.userPseudoId"),
    ("GET", "{store}/userEvents:collect?userEvent=x", None, "userEvent"),
    ("GET", "{location}/userEvents:collect", None, "userEvent"),
    ("POST", "{location}/groundingConfigs/c:check", {}, "answerCandidate"),
    (
        "POST",
        "{location}/groundingConfigs/c:check",
        {"answerCandidate": "x " * 4097},
        "answerCandidate",
    ),
    (
        "POST",
        "{location}/groundingConfigs/c:check",
        {"answerCandidate": "x", "facts": [{"factText": "f"}] * 201},
        "facts",
    ),
    (
        "POST",
        "{location}/groundingConfigs/c:check",
        {"answerCandidate": "x", "facts": [{}]},
        "facts[0].factText",
    ),
    (
        "POST",
        "{location}/groundingConfigs/c:check",
        {"answerCandidate": "x", "groundingSpec": {"citationThreshold": 1.1}},
        "groundingSpec.citationThreshold",
    ),
    ("POST", "{location}/rankingConfigs/c:rank", {"records": [{"title": "x"}]}, "query"),
    ("POST", "{location}/rankingConfigs/c:rank", {"query": "x"}, "records"),
    (
        "POST",
        "{location}/rankingConfigs/c:rank",
        {"query": "x", "records": [{"id": "1"}]},
        "records[0].content",
    ),
    ("POST", G, {}, "contents"),
    ("POST", G, {"contents": [{"role": "robot"}]}, "contents[0].role"),
    ("POST", G, {"contents": [*WRITE, {"role": "model"}]}, "contents"),
    ("POST", G, {"contents": [{"role": "user"}]}, "contents[0].parts"),
    ("POST", G, {"contents": WRITE}, "groundingSpec.groundingSources"),
    (
        "POST",
        G,
        {"contents": WRITE, "groundingSpec": {"groundingSources": [{}]}},
        "groundingSpec.groundingSources[0]",
    ),
    (
        "POST",
        G,
        {
            "contents": WRITE,
            "groundingSpec": {"groundingSources": [INLINE]},
            "generationSpec": {"topP": 2},
        },
        "generationSpec.topP",
    ),
    (
        "POST",
        G,
        {
            "contents": WRITE,
            "groundingSpec": {"groundingSources": [{"searchSource": {"servingConfig": "x"}}]},
        },
        "groundingSpec.groundingSources[0].searchSource.servingConfig",
    ),
    # operations
    ("GET", "{collection}/operations?filter=state=x", None, "filter"),
    ("GET", "{collection}/operations?pageSize=-1", None, "pageSize"),
]
