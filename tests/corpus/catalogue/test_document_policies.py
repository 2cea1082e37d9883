"""The policy of a data store comes from its own setting and from the file of the portal."""

from __future__ import annotations

import pytest

from service.corpus import document_filters
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.catalogue.document_policies import DocumentPolicies
from service.corpus.document_access import UNRESTRICTED, Viewer
from service.corpus.document_filters import ALL, Facts
from service.corpus.storage.document_store import DocumentStore
from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Portal
from service.portal.portal_file import PortalError
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.data_stores import DataStore
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio

COLLECTION = names.parent(STORE)
CORPUS = "projects/p/locations/us/ragCorpora/7"


def portal(name: str, document_filter: str) -> Portal:
    return Portal(data_stores=(DataStorePolicy(name=name, document_filter=document_filter),))


@pytest.fixture
async def catalogue(redis: Redis, keys: Keys) -> Catalogue:
    """Return a catalogue with one data store whose documents have no readers."""
    catalogue = Catalogue(redis, keys, DocumentStore(redis, keys), ())
    await catalogue.create_data_store(
        COLLECTION, names.last_id(STORE), DataStore(display_name="store")
    )
    return catalogue


async def test_a_data_store_asks_for_readers_within_a_second(catalogue: Catalogue) -> None:
    now = 100.0
    policies = DocumentPolicies(catalogue, Portal(), lambda: now)
    assert (await policies.of(STORE)).condition(Viewer()) == ALL
    fields = frozenset({"acl_enabled"})
    await catalogue.update_data_store(STORE, DataStore(acl_enabled=True), "acl_enabled", fields)
    now += 1.0
    policy = await policies.of(STORE)
    assert policy.has_readers
    assert policy.condition(UNRESTRICTED) == ALL


async def test_nobody_sees_documents_of_a_data_store_that_is_gone(catalogue: Catalogue) -> None:
    policy = await DocumentPolicies(catalogue, Portal()).of(f"{COLLECTION}/dataStores/gone")
    assert not document_filters.matches(policy.condition(Viewer()), Facts(id="a"))


@pytest.mark.parametrize(
    ("name", "applies"), [(STORE, True), (names.last_id(STORE), True), ("other", False)]
)
async def test_the_file_of_the_portal_names_data_stores(
    catalogue: Catalogue, name: str, *, applies: bool
) -> None:
    policies = DocumentPolicies(catalogue, portal(name, "team: ANY(claims.groups)"))
    staff = Viewer(claims={"groups": ("staff",)})
    assert ((await policies.of(STORE)).condition(staff) != ALL) is applies


async def test_corpora_have_filters_and_no_setting(catalogue: Catalogue) -> None:
    policies = DocumentPolicies(catalogue, portal(CORPUS, 'team: ANY("a")'))
    assert (await policies.of(CORPUS)).condition(Viewer()) != ALL
    assert (await policies.of(names.WEB)).condition(Viewer()) == ALL


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("store", "team: ANY(", "data_stores 'store': document_filter"),
        ("store", "NOT team: ANY(claims.groups)", "claims.groups stands under NOT"),
        ("projects/p/locations/l/collections/c/engines/e", 'a: ANY("b")', "that of an engine"),
    ],
)
async def test_what_cannot_be_enforced_is_refused_at_the_start(
    catalogue: Catalogue, name: str, text: str, told: str
) -> None:
    with pytest.raises(PortalError, match=told):
        DocumentPolicies(catalogue, portal(name, text))
