"""Read, check and build resource names; every name inside the service is in canonical form.

Names are those of AIP-122, as plain ``str`` without a leading slash or version. Canonical is the
long form (guide/rest.md) with ``collections/``, branch ``0``, project and location as given.

What no id may have, of whatever resource, is refused wherever a name is read: it is what clients,
proxies, shells and terminals on the way would read as something else than an id. What an id that
a caller chooses must look like is asked only where a resource is created: ids that were stored
under older rules can still be read and deleted.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from typing import Final

from sessions.errors import InvalidArgument, NotFound

LOCATION: Final = r"projects/[^/]+/locations/[^/]+"
COLLECTION: Final = LOCATION + r"/collections/[^/]+"
DATA_STORE: Final = COLLECTION + r"/dataStores/[^/]+"
ENGINE: Final = COLLECTION + r"/engines/[^/]+"
PARENT: Final = rf"(?:{DATA_STORE}|{ENGINE})"
BRANCH: Final = DATA_STORE + r"/branches/0"
DOCUMENT: Final = BRANCH + r"/documents/[^/]+"
CHUNK: Final = DOCUMENT + r"/chunks/[^/]+"
SERVING_CONFIG: Final = PARENT + r"/servingConfigs/[^/]+"
SESSION: Final = PARENT + r"/sessions/[^/]+"
CONVERSATION: Final = PARENT + r"/conversations/[^/]+"
ANSWER: Final = rf"(?:{SESSION}|{CONVERSATION})/answers/[^/]+"
RAG_CORPUS: Final = LOCATION + r"/ragCorpora/[^/]+"

SERVING_CONFIGS: Final = frozenset({"default_config", "default_search", "default_serving_config"})
"""The serving configs that every data store and engine has."""

WEB: Final = "web"
"""What stands for pages of the web where data stores are named: none has such a name."""
SAMPLE_DATA_STORE: Final = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/guide"
)

_STORE: Final = re.compile(rf"(?:{PARENT}|{RAG_CORPUS})(?=/|$)")
_NOUNS: Final = {
    "answers": "answer ",
    "conversations": "conversation ",
    "dataStores": "data store ",
    "documents": "document ",
    "engines": "engine ",
    "operations": "operation ",
    "projects": "project ",
    "ragCorpora": "corpus ",
    "ragFiles": "file ",
    "sessions": "session ",
}
"""What the resources of a collection are called in errors."""
_SHORT: Final = re.compile(rf"^({LOCATION})/((?:dataStores|engines)/.*)$", re.S)
_BRANCH: Final = re.compile(rf"^({DATA_STORE})/branches/default_branch(/.*)?$", re.S)
_PLAIN: Final = re.compile(r"(?:[A-Za-z0-9_@-][A-Za-z0-9_@:.-]*(?:/(?!$)|$))+")
"""Names in which nothing can be forbidden; all that the service makes are such."""
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9_@-][A-Za-z0-9_@:.-]*")
_FORBIDDEN: Final = re.compile(
    r"[/?#%\\\ufffd"  # the last stands for bytes that are no UTF-8
    r"\u2044\u2215\u29f8\u2216\u29f5]"  # look like slashes, and are not made such by NFKC
)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of control, formatting (and so the bidirectional) and no characters."""
_CHOSEN_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?")
_STORE_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_DOCUMENT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def canonical(name: str) -> str:
    """Return *name* in its long form, with branch ``0``.

    A slash at its end stays: a name without a last id is not the name of its parent.
    """
    if short := _SHORT.match(name):
        name = f"{short[1]}/collections/default_collection/{short[2]}"
    if alias := _BRANCH.match(name):
        name = f"{alias[1]}/branches/0{alias[2] or ''}"
    return name


def checked(name: str, pattern: str, *, field: str) -> str:
    """Return the canonical form of *name*, which must be one of *pattern* (of this module).

    Raises:
        InvalidArgument: it is not, or has what no id may have; *field* is named.
    """
    check_forbidden(name, field=field)
    full = canonical(name)
    if not re.fullmatch(pattern, full):
        raise InvalidArgument(
            f"{field}: '{name[:200]}' is not the name of such a resource", field=field
        )
    return full


def is_plain(name: str) -> bool:
    """Tell whether each id in *name* is there and has nothing that any id could not have."""
    return _PLAIN.fullmatch(name) is not None


def check_forbidden(name: str, *, field: str) -> None:
    """Refuse a name, or an id, that has what no id may have; *field* is where it stands.

    Raises:
        InvalidArgument: see `is_forbidden`.
    """
    if not is_plain(name):
        check_forbidden_ids(name.split("/"), field=field)


def check_forbidden_ids(segments: Sequence[str], *, field: str) -> None:
    """Refuse the *segments* of a name, decoded each by itself, as `check_forbidden` does."""
    for each in segments:
        if is_forbidden(each):
            raise InvalidArgument(
                f"{field}: {each[:100]!a} can be no id: one has no '/', '?', '#', '%', '\\', no "
                "control character and nothing that looks like these, and is not '.' or '..'",
                field=field,
                reason="INVALID_ID",
            )


def is_forbidden(each: str) -> bool:
    r"""Tell whether *each*, one decoded segment of a name, has what no id may have.

    That is: to be ``.`` or ``..``, one of ``/ ? # % \``, a control or formatting character, or what
    becomes or looks like one of these.
    """
    if _PLAIN_ID.fullmatch(each):
        return False
    # What a program on the way makes of it may be its compatibility form: U+FF0E is a full stop.
    folded = unicodedata.normalize("NFKC", each)
    return (
        folded.strip() in {".", ".."}
        or folded.startswith(":")  # behind a slash it would be a verb
        or any(_FORBIDDEN.search(text) for text in (each, folded))
        or any(unicodedata.category(character) in _UNSEEN for character in each)
    )


def checked_id(given: str, *, field: str) -> str:
    """Return *given* if a caller may choose it as the id of a session, conversation or engine.

    Raises:
        InvalidArgument: it may not; *field* is named.
    """
    if not _CHOSEN_ID.fullmatch(given):
        raise InvalidArgument(
            f"{field}: give 1 to 63 characters of a-z, 0-9, '-', '_', the first and the last a "
            "letter or digit",
            field=field,
        )
    return given


def checked_store_id(store_id: str, *, field: str) -> str:
    """Return *store_id* if it may name a data store."""
    if not _STORE_ID.fullmatch(store_id):
        raise InvalidArgument(
            f"{field}: give 1 to 63 characters of a-z, 0-9, '-', '_', the first a letter or digit",
            field=field,
        )
    return store_id


def checked_document_id(document_id: str, *, field: str) -> str:
    """Return *document_id* if it may name a document."""
    if not _DOCUMENT_ID.fullmatch(document_id):
        raise InvalidArgument(
            f"{field}: give 1 to 128 letters, digits, '.', '-', '_', the first a letter or digit",
            field=field,
        )
    return document_id


def check_serving_config(name: str) -> str:
    """Return the data store or engine that the canonical serving config *name* belongs to.

    Raises:
        NotFound: no data store or engine has a serving config of that id.
    """
    parent, _, config = name.rpartition("/servingConfigs/")
    if config not in SERVING_CONFIGS:
        raise NotFound(f"there is no serving config '{config}'; use default_config", resource=name)
    return parent


def parent(name: str) -> str:
    """Return what stands above the last ``collection/id`` pair of *name*.

    The parent of a session is its data store or engine, that of an answer its session, that of a
    document its branch.
    """
    return name.rsplit("/", 2)[0]


def last_id(name: str) -> str:
    """Return the id at the end of *name*."""
    return name.rpartition("/")[2]


def location(name: str) -> str:
    """Return the ``projects/*/locations/*`` that *name* begins with."""
    return "/".join(name.split("/", 4)[:4])


def data_store_of(name: str) -> str:
    """Return the data store that a branch, document or chunk *name* lies in."""
    return name.partition("/branches/")[0]


def store_of(name: str) -> str:
    """Return the data store, engine or corpus that the canonical *name* is or lies in, else ""."""
    found = _STORE.match(name)
    return found[0] if found else ""


def absent(name: str) -> NotFound:
    """Return the error for a resource that is not there, or not for who asks.

    Every method tells it in these words, so that nobody can tell the one from the other.
    """
    noun = _NOUNS.get(name.rpartition("/")[0].rpartition("/")[2], "")
    return NotFound(f"there is no {noun}'{name}'", resource=name)


def new_id() -> str:
    """Return a new decimal id, 1 to 2^63 - 1."""
    return str(secrets.randbelow(2**63 - 1) + 1)


def session(parent_name: str, session_id: str) -> str:
    """Build the name of a session."""
    return f"{parent_name}/sessions/{session_id}"


def conversation(parent_name: str, conversation_id: str) -> str:
    """Build the name of a conversation."""
    return f"{parent_name}/conversations/{conversation_id}"


def answer(session_name: str, answer_id: str) -> str:
    """Build the name of an answer of a session or, inside the service, of a conversation."""
    return f"{session_name}/answers/{answer_id}"


def document(data_store: str, document_id: str) -> str:
    """Build the name of a document in the one branch that there is."""
    return f"{data_store}/branches/0/documents/{document_id}"


def chunk(document_name: str, chunk_id: str) -> str:
    """Build the name of a chunk."""
    return f"{document_name}/chunks/{chunk_id}"


def question(location_name: str, question_id: str) -> str:
    """Build the name of a query (``Query.queryId``)."""
    return f"{location_name}/questions/{question_id}"
