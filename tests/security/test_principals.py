"""Who asks, and which names are there for them."""

from __future__ import annotations

import pytest

from service.security.principals import ANONYMOUS, Principal, PrincipalKind

STORE = "projects/p/locations/global/collections/default_collection/dataStores/faq"


def principal(**given: object) -> Principal:
    """Return a server with what is *given*."""
    values: dict[str, object] = {"kind": PrincipalKind.SERVER, "id": "key:1", **given}
    return Principal(**values)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("name", "reached"),
    [
        (STORE, True),
        (f"{STORE}/sessions/1", True),
        (f"{STORE}-2", False),
        ("projects/p/locations/global", False),
        (STORE.replace("/p/", "/other/"), False),
        ("", False),
    ],
)
def test_a_caller_of_one_data_store_reaches_what_lies_in_it(name: str, reached: bool) -> None:
    """A data store whose name begins alike is another one."""
    assert principal(project="p", data_stores=(STORE,)).reaches(name) is reached


@pytest.mark.parametrize(
    ("name", "reached"),
    [("projects/p", True), (STORE, True), ("projects/p2", False), ("metrics", False)],
)
def test_a_caller_of_one_project_reaches_that_project(name: str, reached: bool) -> None:
    """Also its id must be whole."""
    assert principal(project="p").reaches(name) is reached


def test_without_authentication_everybody_reaches_everything() -> None:
    """It is the operator who opened the port."""
    assert ANONYMOUS.reaches(STORE)
    assert not ANONYMOUS.is_person
