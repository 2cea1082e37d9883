"""Ids stay the same from one import to the next, and can name a document."""

from __future__ import annotations

import pytest

from service.corpus import document_ids
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources.documents import Document, ImportDocumentsRequest
from tests.corpus import hostile


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", "a.md"),
        ("a/b_c/D.md", "a--b_c--D.md"),
        ("x--y.md", None),
        ("é/ü.md", None),
        ("-a.md", None),
        ("a b.md", None),
        ("a" * 300, None),
        ("日本", None),
    ],
)
def test_ids_of_paths_are_valid_readable_and_their_own(path: str, expected: str | None) -> None:
    own = document_ids.from_path(path)
    assert names.checked_document_id(own, field="id") == own
    assert own == expected or expected is None
    assert own != document_ids.from_path(path + "x")
    assert document_ids.from_given(own) == own


@pytest.mark.parametrize(
    ("document", "id_field", "expected"),
    [
        (Document(id="own", name="a/b/named"), "", "own"),
        (Document(name="a/b/named"), "key", "named"),
        (Document(struct_data={"key": {"inner": 7.0}}), "key.inner", "7"),
        (Document(json_data='{"key": "k"}'), "key", "k"),
    ],
)
def test_a_document_in_a_request_has_the_id_that_the_request_says(
    document: Document, id_field: str, expected: str
) -> None:
    assert document_ids.of_document(document, ImportDocumentsRequest(id_field=id_field)) == expected


def test_an_id_that_is_generated_is_that_of_the_same_document_again() -> None:
    request = ImportDocumentsRequest(auto_generate_ids=True)
    one, same, other = (Document(struct_data={"n": n}) for n in (1, 1, 2))
    assert document_ids.of_document(one, request) == document_ids.of_document(same, request)
    assert document_ids.of_document(one, request) != document_ids.of_document(other, request)


def test_an_id_is_looked_for_in_no_more_fields_than_a_document_may_have() -> None:
    """It is read in the service itself, where nothing kills what takes too much."""
    huge = Document(json_data=hostile.HOSTILE["lists.json"]().decode())
    with pytest.raises(InvalidArgument) as refused:
        document_ids.of_document(huge, ImportDocumentsRequest(id_field="key"))
    assert refused.value.reason == "TOO_MANY_VALUES"


def test_the_id_of_an_address_is_a_positive_int64_and_its_own() -> None:
    ids = {document_ids.from_address(f"gs://bucket/{n}") for n in range(100)}
    assert len(ids) == 100
    assert all(0 < int(one) < 1 << 63 for one in ids)
