"""List, show and delete data stores and their documents."""

from __future__ import annotations

import argparse
from typing import Final

from service import stores, terminal
from service.commands import short_names
from service.settings import Settings
from service.stores import Stores
from sessions import names
from sessions.errors import NotFound
from sessions.listing.pagination import ListQuery

_PAGE: Final = 100


async def list_all(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each data store of a project."""
    project = short_names.stored_project(arguments.project, settings)
    collection = f"projects/{project}/locations/global/collections/default_collection"
    async with stores.opened(settings) as store:
        token, count = "", 0
        while True:
            page, token = await store.catalogue.list_data_stores(
                ListQuery(collection, page_size=_PAGE, page_token=token)
            )
            for each in page:
                count += 1
                documents = await store.documents.count(each.name)
                terminal.say(
                    f"{names.last_id(each.name):<24} {documents:>8} documents  {each.display_name}"
                )
            if not token:
                break
    terminal.say(f"{count} data stores of {collection}")
    return 0


async def show(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print what is known of a data store."""
    name = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        await short_names.check_stored(name, store.catalogue)
        found = await store.catalogue.get_data_store(name)
        documents = await store.documents.count(name)
    terminal.say(found.name)
    terminal.say(f"display name  {found.display_name}")
    if found.create_time is not None:
        terminal.say(f"made          {found.create_time:%Y-%m-%d %H:%M} UTC")
    terminal.say(f"documents     {documents}")
    return 0


async def delete(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete a data store with its documents, sessions and conversations."""
    name = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        await short_names.check_stored(name, store.catalogue)
        if not arguments.yes:
            count = await store.documents.count(name)
            terminal.say(
                f"this deletes {count} documents of {name} and all its sessions and "
                "conversations for good; say --yes to do so"
            )
            return 1
        await store.catalogue.check_deletable(name)
        await store.catalogue.delete_data_store(name)
    terminal.say(f"deleted {name}")
    return 0


async def list_documents(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each document, in the order of their ids."""
    data_store = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        await short_names.check_stored(data_store, store.catalogue)
        after, count = "", 0
        while True:
            page = await store.documents.page(data_store, limit=_PAGE, after=after)
            for document in page.documents:
                count += 1
                facts = document.derived_struct_data or document.struct_data or {}
                terminal.say(f"{document.id:<40} {facts.get('title', '')}")
            after = page.after
            if not after:
                break
    terminal.say(f"{count} documents of {data_store}")
    return 0


async def show_document(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print a document: its name, what is known of it, and its passages."""
    data_store = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        name = await _stored(store, data_store, arguments.document)
        document = await store.documents.get(name)
        terminal.say(document.name)
        for key, value in (document.derived_struct_data or document.struct_data or {}).items():
            terminal.say(f"{key}: {value}")
        for chunk in await store.documents.chunks(name):
            terminal.write(f"\n{chunk.text}\n")
    return 0


async def delete_document(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete a document; it is in no answer a second later."""
    data_store = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        name = await _stored(store, data_store, arguments.document)
        await store.documents.delete(data_store, [names.last_id(name)])
    terminal.say(f"deleted {name}")
    return 0


async def _stored(store: Stores, data_store: str, document_id: str) -> str:
    """Return the name of the document of this id; raise `NotFound` where there is none."""
    await short_names.check_stored(data_store, store.catalogue)
    name = f"{data_store}/branches/0/documents/{document_id}"
    if not await store.documents.read(name):
        raise NotFound(
            f"there is no document '{document_id}' in {data_store}; `colloquy documents list "
            f"--data-store {names.last_id(data_store)}` shows their ids",
            reason="RESOURCE_NOT_FOUND",
        )
    return name
