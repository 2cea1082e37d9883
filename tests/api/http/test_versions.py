"""Versions and parameters that are not there."""

from __future__ import annotations

import pytest

from service.api.http import versions
from tests.clients.discovery import Api, call


def test_routes_exist_in_the_versions_of_their_family_only(v1: Api) -> None:
    store = v1.data_store()
    for version in ("v1", "v1beta", "v1alpha", "v1beta1", "ui"):
        expected = 200 if version in versions.SEARCH else 404
        assert call(f"{v1.url}/{version}/{store}").status == expected
        assert call(f"{v1.url}/{version}/{v1.location}/dataStores").status == expected


@pytest.mark.parametrize(
    "path",
    [
        "{store}?view=full",
        "{store}/branches/0/documents?pageSiez=1",
        "{store}/sessions?filters=x",
        "{store}/branches/0/operations?name=x",
        "{collection}/dataStores?parent=x",
    ],
)
def test_a_parameter_that_is_not_there_is_named(v1: Api, path: str) -> None:
    store = v1.data_store()
    reply = v1.call(path.format(store=store, collection=v1.collection))
    assert reply.status == 400
    (violation,) = reply.body["error"]["details"][1]["fieldViolations"]
    assert violation["field"] == path.partition("?")[2].partition("=")[0]


def test_standard_parameters_are_ignored_everywhere(v1: Api) -> None:
    standard = "key=k&alt=json&$alt=json&prettyPrint=true&quotaUser=u&fields=*&$userProject=p"
    for path in (v1.data_store(), f"{v1.collection}/dataStores"):
        assert v1.call(f"{path}?{standard}").status == 200
