"""An update overwrites what its mask names, and nothing else (AIP-134)."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.codec import field_masks, json_codec
from sessions.errors import InvalidArgument
from sessions.resources import documents, engines
from sessions.resources import sessions as session_resources

Session = session_resources.Session

MUTABLE = frozenset({"display_name", "is_pinned", "labels", "user_pseudo_id", "turns", "state"})
CURRENT = Session(name="s/1", display_name="old", is_pinned=True, labels=("a",), user_pseudo_id="u")


def updated(mask: str | None, body: bytes) -> Session:
    """Return `CURRENT` after a PATCH."""
    patch = json_codec.decode(Session, body)
    return field_masks.apply(mask, CURRENT, patch, json_codec.present(Session, body), MUTABLE)


@pytest.mark.parametrize(
    ("mask", "body", "changed"),
    [
        ("displayName", b'{"displayName": "new", "labels": ["b"]}', {"display_name": "new"}),
        ("display_name", b'{"displayName": "new"}', {"display_name": "new"}),
        ("labels,isPinned", b'{"labels": ["b"]}', {"labels": ("b",), "is_pinned": False}),
        (" displayName , labels ", b"{}", {"display_name": "", "labels": ()}),
        ("isPinned", b"{}", {"is_pinned": False}),
        (None, b'{"displayName": "new"}', {"display_name": "new"}),
        ("", b'{"isPinned": false}', {"is_pinned": False}),
        (None, b'{"name": "s/1", "startTime": "2026-01-01T00:00:00Z"}', {}),
        (None, b'{"labels": null}', {}),
        ("*", b'{"displayName": "new"}',
         {"display_name": "new", "is_pinned": False, "labels": (), "user_pseudo_id": ""}),
    ],
)  # fmt: skip
def test_what_a_mask_overwrites(mask: str | None, body: bytes, changed: dict[str, Any]) -> None:
    expected = {name: getattr(CURRENT, name) for name in CURRENT.__struct_fields__} | changed
    assert updated(mask, body) == Session(**expected)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ("name", "'name' cannot be changed"),
        ("startTime", "'startTime' cannot be changed"),
        ("displayNam", "'displayNam' is no field"),
        ("displayName.x", "leads into a value without fields"),
        ("*,displayName", "'*' is no field"),
    ],
)
def test_a_wrong_mask_is_refused(mask: str, message: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        updated(mask, b"{}")
    assert refusal.value.field == "updateMask"
    assert message in refusal.value.message


def test_a_mask_reaches_into_a_message() -> None:
    tier, addon = engines.SearchTier.SEARCH_TIER_ENTERPRISE, engines.SearchAddOn.SEARCH_ADD_ON_LLM
    current = engines.Engine(
        search_engine_config=engines.SearchEngineConfig(search_add_ons=(addon,))
    )
    patch = engines.Engine(search_engine_config=engines.SearchEngineConfig(search_tier=tier))
    mask = "searchEngineConfig.searchTier,commonConfig.companyName"
    mutable = frozenset({"search_engine_config", "common_config"})
    after = field_masks.apply(mask, current, patch, {"search_engine_config"}, mutable)
    assert after.search_engine_config == engines.SearchEngineConfig(
        search_tier=tier, search_add_ons=(addon,)
    )
    assert after.common_config == engines.CommonConfig()


@pytest.mark.parametrize(
    ("mask", "after"),
    [
        ("structData.title", {"title": "new", "uri": "u", "deep": {"a": 1}}),
        ("structData.uri", {"title": "old", "deep": {"a": 1}}),
        ("structData.deep.b", {"title": "old", "uri": "u", "deep": {"a": 1, "b": 2}}),
        ("structData.fresh.b", {"title": "old", "uri": "u", "deep": {"a": 1}, "fresh": {"b": 3}}),
    ],
)
def test_a_mask_reaches_into_a_struct(mask: str, after: dict[str, Any]) -> None:
    current = documents.Document(struct_data={"title": "old", "uri": "u", "deep": {"a": 1}})
    patch = documents.Document(
        struct_data={"title": "new", "deep": {"b": 2}, "fresh": {"b": 3, "c": 4}}
    )
    mutable = frozenset({"struct_data"})
    assert field_masks.apply(mask, current, patch, (), mutable).struct_data == after
    assert current.struct_data == {"title": "old", "uri": "u", "deep": {"a": 1}}


def test_a_mask_reaches_into_a_map() -> None:
    current = engines.Engine(connector_tenant_info={"a": "1", "b.c": "2"})
    patch = engines.Engine(connector_tenant_info={"b.c": "3"})
    mutable = frozenset({"connector_tenant_info"})
    after = field_masks.apply("connectorTenantInfo.b.c", current, patch, (), mutable)
    assert after.connector_tenant_info == {"a": "1", "b.c": "3"}


@pytest.mark.parametrize("mask", ["jsonData", None])
def test_a_new_member_of_a_oneof_drops_the_old(mask: str | None) -> None:
    current = documents.Document(id="d", struct_data={"a": 1})
    patch = documents.Document(json_data="{}")
    after = field_masks.apply(
        mask, current, patch, {"json_data"}, frozenset({"json_data", "struct_data"})
    )
    assert after == documents.Document(id="d", json_data="{}")
