"""Names as they are read, checked and built."""

from __future__ import annotations

import pytest

from sessions import names
from sessions.errors import InvalidArgument, NotFound
from tests.sessions.store_doubles import DATA_STORE

LOCATION = "projects/p/locations/l"
COLLECTION = f"{LOCATION}/collections/default_collection"
ENGINE = f"{COLLECTION}/engines/e"
BRANCH = f"{DATA_STORE}/branches/0"
SESSION = f"{DATA_STORE}/sessions/1"
CONVERSATION = f"{ENGINE}/conversations/2"

PATTERNS = {
    names.LOCATION: [LOCATION],
    names.COLLECTION: [COLLECTION],
    names.DATA_STORE: [DATA_STORE],
    names.ENGINE: [ENGINE],
    names.PARENT: [DATA_STORE, ENGINE],
    names.BRANCH: [BRANCH],
    names.DOCUMENT: [f"{BRANCH}/documents/d"],
    names.CHUNK: [f"{BRANCH}/documents/d/chunks/c"],
    names.SERVING_CONFIG: [f"{DATA_STORE}/servingConfigs/s", f"{ENGINE}/servingConfigs/s"],
    names.SESSION: [SESSION, f"{ENGINE}/sessions/1"],
    names.CONVERSATION: [CONVERSATION],
    names.ANSWER: [f"{SESSION}/answers/3", f"{CONVERSATION}/answers/3"],
    names.RAG_CORPUS: [f"{LOCATION}/ragCorpora/4"],
}
EVERY = {name: pattern for pattern, all_of in PATTERNS.items() for name in all_of}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_takes_its_own_names_and_no_others(pattern: str) -> None:
    for name in EVERY:
        if name in PATTERNS[pattern]:
            assert names.checked(name, pattern, field="f") == name
        else:
            with pytest.raises(InvalidArgument, match=r"^f: .* is not the name of such") as refusal:
                names.checked(name, pattern, field="f")
            assert refusal.value.field == "f"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (f"{LOCATION}/dataStores/d", DATA_STORE),
        (f"{LOCATION}/engines/e/sessions/-", f"{ENGINE}/sessions/-"),
        (f"{LOCATION}/dataStores/d/branches/default_branch", BRANCH),
        (f"{DATA_STORE}/branches/default_branch/documents/d", f"{BRANCH}/documents/d"),
        (f"{DATA_STORE}/branches/default_branches/documents/d", None),
        (f"{BRANCH}/documents/d", None),
        (f"{LOCATION}/collections/other/dataStores/d", None),
        (f"{LOCATION}/ragCorpora/4", None),
        (f"x/{LOCATION}/dataStores/d", None),
        (f"{LOCATION}/dataStores/d/", f"{DATA_STORE}/"),
    ],
)
def test_a_short_name_and_an_alias_mean_the_long_name(short: str, long: str | None) -> None:
    assert names.canonical(short) == (long or short)


def test_names_are_taken_apart() -> None:
    assert names.parent(f"{SESSION}/answers/3") == SESSION
    assert names.parent(SESSION) == DATA_STORE
    assert names.last_id(SESSION) == "1"
    assert names.location(f"{SESSION}/answers/3") == LOCATION
    assert names.location(LOCATION) == LOCATION
    assert names.data_store_of(f"{BRANCH}/documents/branches") == DATA_STORE
    assert names.data_store_of(DATA_STORE) == DATA_STORE


def test_names_are_put_together() -> None:
    assert names.session(DATA_STORE, "1") == SESSION
    assert names.conversation(ENGINE, "2") == CONVERSATION
    assert names.answer(SESSION, "3") == f"{SESSION}/answers/3"
    assert names.document(DATA_STORE, "d") == f"{BRANCH}/documents/d"
    assert names.chunk(f"{BRANCH}/documents/d", "c") == f"{BRANCH}/documents/d/chunks/c"
    assert names.question(LOCATION, "6") == f"{LOCATION}/questions/6"


def test_a_serving_config_says_whose_it_is() -> None:
    for config in ("default_config", "default_search", "default_serving_config"):
        assert names.check_serving_config(f"{ENGINE}/servingConfigs/{config}") == ENGINE
    other = f"{ENGINE}/servingConfigs/my_config"
    with pytest.raises(NotFound, match=r"'my_config'; use default_config") as refusal:
        names.check_serving_config(other)
    assert refusal.value.metadata["resource"] == other


def test_a_new_id_is_a_positive_number_of_64_bits() -> None:
    drawn = {int(names.new_id()) for _ in range(1000)}
    assert len(drawn) == 1000
    assert min(drawn) >= 1
    assert 2**60 < max(drawn) < 2**63


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (names.checked_id, ("a", "7", "a-_9", "a" * 63), ("", "a" * 64, "a-", "-a", "A", "a.b")),
        (names.checked_store_id, ("a", "7", "a-", "a" * 63), ("", "a" * 64, "_a", "A", "a.b")),
        (
            names.checked_document_id,
            ("A", "7", "A.b_c-", "a" * 128),
            ("", "a" * 129, ".a", "-a", "a b", "ä"),
        ),
    ],
)
def test_an_id_that_is_chosen_has_its_alphabet_and_its_length(
    check: object, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    assert callable(check)
    for each in good:
        assert check(each, field="id") == each
    for each in (*bad, good[0] + "\n"):
        with pytest.raises(InvalidArgument, match=r"^id: give 1 to ") as refusal:
            check(each, field="id")
        assert refusal.value.field == "id"


@pytest.mark.parametrize(
    "each", ["a", "a.b", "@x", "ä", "日本", "a:b", "..a", "...", "a b", "-", "é"]
)
def test_most_ids_are_read(each: str) -> None:
    assert not names.is_forbidden(each)
    names.check_forbidden(f"{DATA_STORE}/sessions/{each}", field="name")


@pytest.mark.parametrize(
    "each",
    [
        *(".", "..", " ..", "．．", "a?", "a#b", "%2e", "a\\b", ":x", "\uff1ax"),
        *("\x00", "\u200b", "a\u202eb", "\ud800", "\ufffd"),
        *("\u2044", "\u2215", "\u29f8", "\u2216", "\u29f5", "\uff0f"),
    ],
)
def test_what_others_on_the_way_would_misread_is_no_id(each: str) -> None:
    assert names.is_forbidden(each)
    with pytest.raises(InvalidArgument, match=r"^name: .* can be no id") as refusal:
        names.check_forbidden(f"{DATA_STORE}/sessions/{each}", field="name")
    assert (refusal.value.field, refusal.value.reason) == ("name", "INVALID_ID")
    with pytest.raises(InvalidArgument):
        names.checked(f"{DATA_STORE}/sessions/{each}", names.SESSION, field="name")
