"""What one script changes lies in one slot, so that it works in a cluster."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from sessions import names
from sessions.redis.keys import Keys, mark_of
from tests.sessions.store_doubles import DATA_STORE

SESSION = names.session(DATA_STORE, "1")


def _slots(found: list[bytes]) -> set[int]:
    return {key_slot(key) for key in found}


@pytest.mark.parametrize("session", [SESSION, names.conversation(DATA_STORE, "{x}")])
def test_a_session_and_all_it_owns_share_a_slot(session: str) -> None:
    keys = Keys()
    answer, partition = names.answer(session, "7"), keys.partition(session)
    assert (
        len(
            _slots(
                [
                    *(keys.session(session), keys.turns(session), keys.queue(session)),
                    *(keys.answers(session), keys.trashed(session), keys.staged(session, "n")),
                    *(keys.answer(answer), keys.log(answer), keys.idempotency(session, "k")),
                    *(keys.leases(partition), keys.trash(partition)),
                ]
            )
        )
        == 1
    )


def test_what_lists_a_collection_shares_a_slot() -> None:
    keys = Keys()
    found = [
        keys.list_index_part(DATA_STORE, "sessions", part) for part in ("left", "kept:x", "w:y")
    ]
    found += [keys.list_index(DATA_STORE, "sessions")]
    found += [keys.user_bucket(DATA_STORE, "sessions", f"user {n}") for n in range(20)]
    assert len(_slots(found)) == 1


def test_the_records_of_a_location_share_a_slot() -> None:
    keys = Keys()
    operations = f"{DATA_STORE}/branches/0/operations"
    found = [keys.resource(DATA_STORE), keys.resource(f"{operations}/1")]
    found += [keys.resources(names.parent(DATA_STORE), "dataStores")]
    found += [keys.resources(names.parent(f"{operations}/1"), "operations")]
    assert len(_slots(found)) == 1


def test_all_uploads_share_a_slot() -> None:
    """What they take together is added up in one script, whatever ids clients make up."""
    keys = Keys()
    found = [keys.uploads(), keys.upload("1", "said"), keys.upload("1", "bytes")]
    assert len(_slots([*found, keys.upload("{x}", "said")])) == 1


def test_the_mark_of_a_key_is_in_its_slot() -> None:
    """What is waited for is what the node of the key has."""
    keys = Keys()
    for key in (keys.session(SESSION), keys.log(names.answer(SESSION, "{x}")), keys.audit(), b"k"):
        assert len(_slots([key, mark_of(key)])) == 1


def test_no_two_keys_are_the_same() -> None:
    keys = Keys()
    found = [keys.list_index_part(DATA_STORE, "sessions", part) for part in ("left", "ix", "moved")]
    found += [keys.list_index(DATA_STORE, "conversations")]
    found += [keys.user_bucket(DATA_STORE, each, "ann") for each in ("sessions", "conversations")]
    found += [keys.answers(SESSION), keys.turns(SESSION), keys.trashed(SESSION)]
    found += [keys.resource(DATA_STORE), keys.resources(DATA_STORE, "operations")]
    assert len(found) == len(set(found))
