"""Keep inside operations to the schema of one version.

Clients read what an operation carries strictly: one unknown field, and the poll fails. Elsewhere
they ignore what they do not know, and one superset is written for all versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

import msgspec

from sessions.resources import data_stores, engines, rag_corpora, retrieve_contexts
from sessions.resources.enums import Documented

T = TypeVar("T")

_ALL: Final = frozenset({"v1", "v1beta", "v1alpha"})
"""Of fields whose content we echo without knowing its schema."""
_V1: Final = frozenset({"v1"})
_V1ALPHA: Final = frozenset({"v1alpha"})
_NOT_BETA: Final = frozenset({"v1", "v1alpha"})

ABSENT: Final[Mapping[type[msgspec.Struct], Mapping[str, frozenset[str]]]] = {
    data_stores.DataStore: {
        "advanced_site_search_config": _ALL,
        "natural_language_query_understanding_config": _ALL,
        "kms_key_name": _V1ALPHA,
        "cmek_config": _ALL,
        "billing_estimation": _ALL,
        "workspace_config": _ALL,
        "healthcare_fhir_config": _ALL,
        "identity_mapping_store": _V1ALPHA,
        "language_info": _ALL,
        "serving_config_data_store": _ALL,
        "is_infobot_faq_data_store": _NOT_BETA,
        "federated_search_config": _ALL,
        "configurable_billing_approach": _NOT_BETA,
        "configurable_billing_approach_update_time": _NOT_BETA,
        "idp_config": _ALL,
    },
    data_stores.Schema: {"field_configs": _ALL},
    data_stores.LayoutParsingConfig: {
        "enable_table_annotation": _V1ALPHA,
        "enable_image_annotation": _V1ALPHA,
        "structured_content_types": _V1ALPHA,
        "exclude_html_elements": _V1ALPHA,
        "exclude_html_classes": _V1ALPHA,
        "exclude_html_ids": _V1ALPHA,
        "enable_llm_layout_parsing": _NOT_BETA,
        "enable_get_processed_document": _NOT_BETA,
    },
    engines.Engine: {
        "chat_engine_config": _ALL,
        "media_recommendation_engine_config": _ALL,
        "chat_engine_metadata": _ALL,
        "disable_analytics": _V1ALPHA,
        "knowledge_graph_config": _ALL,
        "app_type": _NOT_BETA,
        "features": _NOT_BETA,
        "cmek_config": _ALL,
        "configurable_billing_approach": _NOT_BETA,
        "model_configs": _NOT_BETA,
        "observability_config": _ALL,
        "connector_tenant_info": _NOT_BETA,
        "agent_gateway_setting": _ALL,
        "marketplace_agent_visibility": _NOT_BETA,
        "procurement_contact_emails": _NOT_BETA,
        "similar_documents_config": _ALL,
        "recommendation_metadata": _ALL,
    },
    engines.SearchEngineConfig: {"required_subscription_tier": _NOT_BETA},
    rag_corpora.RagCorpus: {
        "rag_embedding_model_config": _V1,
        "rag_vector_db_config": _V1,
        "rag_files_count": _V1,
        "corpus_type_config": _V1,
        "satisfies_pzs": _V1,
        "satisfies_pzi": _V1,
    },
    retrieve_contexts.Context: {"distance": _V1, "sparse_distance": _V1},
    retrieve_contexts.RagChunk: {"file_id": _V1, "chunk_id": _V1},
}
"""The versions that lack a field, by message and attribute."""

UNNAMED: Final[Mapping[Documented, frozenset[str]]] = {
    data_stores.SolutionType.SOLUTION_TYPE_AI_MODE: _NOT_BETA,
}
"""The versions that lack an enum value; it is left out there."""


def within(value: T, version: str) -> T:
    """Return *value* without what the schema of *version* lacks, at any depth."""
    return cast(T, _within(value, version))


def _within(value: Any, version: str) -> Any:
    if isinstance(value, msgspec.Struct):
        return _message(value, version)
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return tuple(_within(item, version) for item in items if _is_named(item, version))
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return {key: _within(item, version) for key, item in entries.items()}
    return value


def _message(value: msgspec.Struct, version: str) -> msgspec.Struct:
    absent = ABSENT.get(type(value), {})
    changes: dict[str, Any] = {}
    for field in msgspec.structs.fields(value):
        current = getattr(value, field.name)
        lacks = version in absent.get(field.name, ()) or not _is_named(current, version)
        changes[field.name] = _default(field) if lacks else _within(current, version)
    return msgspec.structs.replace(value, **changes)


def _is_named(value: Any, version: str) -> bool:
    return not (isinstance(value, Documented) and version in UNNAMED.get(value, ()))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
