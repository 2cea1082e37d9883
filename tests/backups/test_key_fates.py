"""Every kind of key is kept, made anew or left out as it was decided."""

from __future__ import annotations

from typing import Final

import pytest

from service.backups.key_fates import Fate, fate
from service.corpus.redis_search.entry_keys import EntryKeys
from sessions.redis.keys import Keys, mark_of

KEYS: Final = Keys()
STORE: Final = "projects/p/locations/l/collections/default_collection/dataStores/d:x"
SESSION: Final = f"{STORE}/sessions/s:t:1"
ANSWER: Final = f"{SESSION}/answers/1"
HASH: Final = "0123456789abcdef"
SHARED: Final = EntryKeys(KEYS, STORE)

DECIDED: Final[dict[Fate, list[bytes]]] = {
    Fate.OWNER: [KEYS.session(SESSION)],
    Fate.OF_OWNER: [
        KEYS.turns(SESSION),
        KEYS.answers(SESSION),
        KEYS.queue(SESSION),
        KEYS.answer(ANSWER),
        KEYS.log(ANSWER),
    ],
    Fate.REQUEST: [KEYS.idempotency(SESSION, "k")],
    Fate.DOCUMENTS: [KEYS.corpus(STORE, "ids")],
    Fate.OF_DOCUMENTS: [
        KEYS.corpus(STORE, part)
        for part in ("documents", "passages", "digests", "figures", "images")
    ],
    Fate.LAST: [KEYS.visitor_merges()],
    Fate.PLAIN: [
        KEYS.resource(STORE),
        KEYS.audit(),
        KEYS.purges(),
        KEYS.export("o"),
        KEYS.api_keys("keys"),
        KEYS.api_keys("uses"),
        KEYS.signing_keys(),
        KEYS.visitor("p/v"),
        KEYS.visitors_ended("marks"),
        *(KEYS.corpus(STORE, part) for part in ("furniture", "suggestions", "denied")),
        *(KEYS.corpus(STORE, part) for part in ("events", "asked", "searched")),
        *(KEYS.corpus("", f"{part}-stores") for part in ("events", "asked", "searched")),
        KEYS.corpus(STORE, f"vectors-{HASH}"),
    ],
    Fate.DERIVED: [
        KEYS.install,
        KEYS.parents(),
        KEYS.leases(3),
        KEYS.list_index(STORE, "sessions"),
        KEYS.list_index_part(STORE, "sessions", "left"),
        KEYS.user_bucket(STORE, "sessions", "ada"),
        KEYS.resources(STORE, "operations"),
        KEYS.corpus(STORE, "feed"),
        KEYS.corpus(STORE, "number"),
        KEYS.corpus("", "stores"),
        *(KEYS.corpus(STORE, f"{part}-sizes") for part in ("events", "asked", "searched")),
        KEYS.api_keys("state"),
    ],
    Fate.PASSING: [
        KEYS.trash(0),
        KEYS.trashed(SESSION),
        KEYS.staged(SESSION, "n"),
        KEYS.search_results(SESSION, "q"),
        KEYS.quota("p", "rate", "h", "s"),
        KEYS.purge("o"),
        KEYS.uploads(),
        KEYS.upload("u", "bytes"),
        KEYS.corpus(STORE, f"events-{HASH}"),
        KEYS.corpus(STORE, f"vectors-{HASH}-lease"),
        KEYS.corpus("", "sharing"),
        *(mark_of(key) for key in (KEYS.session(SESSION), KEYS.corpus(STORE, "ids"), KEYS.audit())),
        SHARED.chunk(1, 0),
        SHARED.whole(1),
        *(SHARED.entries, SHARED.terms, SHARED.totals, SHARED.garbage, SHARED.lease),
        *(SHARED.numbers, SHARED.models),
        *(SHARED.vectors(HASH).state, SHARED.vectors(HASH).chunk(1, 0)),
    ],
}


@pytest.mark.parametrize("decided", DECIDED, ids=lambda decided: decided.name)
def test_each_key_has_the_fate_that_was_decided(decided: Fate) -> None:
    found = {key: fate(key.removeprefix(b"c:")) for key in DECIDED[decided]}
    assert found == dict.fromkeys(DECIDED[decided], decided)


def test_a_key_that_is_not_known_is_kept() -> None:
    assert fate(b"{d1}:something-new:x") is Fate.PLAIN
    assert fate(b"something") is Fate.PLAIN
