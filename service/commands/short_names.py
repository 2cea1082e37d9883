"""Read the names that an operator types short."""

from __future__ import annotations

from typing import Final

from service.corpus.catalogue.catalogue import Catalogue
from service.project_numbers import ProjectNumbers
from service.settings import Settings
from sessions import names
from sessions.errors import NotFound

COLLECTION: Final = "projects/colloquy/locations/global/collections/default_collection"


def stored_data_store(text: str, settings: Settings) -> str:
    """Return the name under which the data store that *text* means is kept: by its project's id.

    Raises:
        InvalidArgument: see `data_store`.
    """
    return ProjectNumbers(settings.project_numbers).resolved(data_store(text))


async def check_stored(parent: str, catalogue: Catalogue) -> None:
    """Raise `NotFound` where there is no data store or engine of the full name *parent*."""
    if "/engines/" in parent:
        await catalogue.get_engine(parent)
        return
    try:
        await catalogue.get_data_store(parent)
    except NotFound as exc:
        raise NotFound(
            f"there is no data store '{names.last_id(parent)}'; `colloquy stores list` shows them",
            reason=exc.reason,
        ) from exc


def data_store(text: str) -> str:
    """Return the full name of the data store that *text* means; an id is one of ``colloquy``.

    Raises:
        InvalidArgument: it is neither an id nor a full name.
    """
    if "/" in text:
        return names.checked(text, names.PARENT, field="--data-store")
    return f"{COLLECTION}/dataStores/{names.checked_store_id(text, field='--data-store')}"


def stored_project(text: str, settings: Settings) -> str:
    """Return the id of the project that *text*, an id or a number, means.

    Raises:
        InvalidArgument: it can be neither.
    """
    name = names.checked(f"projects/{text}/locations/global", names.LOCATION, field="--project")
    return ProjectNumbers(settings.project_numbers).resolved(name).split("/")[1]


def stored_boundary(text: str, project: str, settings: Settings) -> str:
    """Return the full name of the data store, engine or corpus that *text* means.

    An id is that of a data store of *project*, of ``colloquy`` where that is "".

    Raises:
        InvalidArgument: it is neither an id nor a full name.
    """
    if "/" in text:
        pattern = rf"(?:{names.PARENT}|{names.RAG_CORPUS})"
        name = names.checked(names.canonical(text), pattern, field="--data-store")
    else:
        name = data_store(text).replace("projects/colloquy/", f"projects/{project or 'colloquy'}/")
    return ProjectNumbers(settings.project_numbers).resolved(name)


def parent(data_store_text: str, engine_text: str) -> str:
    """Return the full name of what is asked: the engine where one is meant, else the data store.

    Raises:
        InvalidArgument: it is neither an id nor a full name.
    """
    if not engine_text:
        return data_store(data_store_text)
    if "/" in engine_text:
        return names.checked(engine_text, names.PARENT, field="--engine")
    return f"{COLLECTION}/engines/{names.checked_store_id(engine_text, field='--engine')}"


def session(text: str, parent: str) -> str:
    """Return the full name of the session that *text*, an id or a name, means below *parent*."""
    if "/" in text:
        return names.checked(text, names.SESSION, field="--session")
    # Any id that may be stored, also one from before there was a rule for what callers choose.
    return names.checked(names.session(parent, text), names.SESSION, field="--session")


def stored_session(text: str, parent: str, settings: Settings) -> str:
    """Return the name under which the session that *text* means is kept; see `session`."""
    return ProjectNumbers(settings.project_numbers).resolved(session(text, parent))
