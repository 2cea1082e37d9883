"""Import a folder or a file into a data store, and say what became of each file."""

from __future__ import annotations

import argparse
import asyncio
import ssl
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from service import stores, terminal
from service.commands import short_names
from service.corpus.documents import document_import, folders
from service.corpus.documents.document_import import Report
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing.parsed_documents import Unreadable
from service.settings import Settings

_BAR: Final = 24
_KINDS: Final = 8
_LOOK: Final = 2.0
"""Seconds within which the service answers where it runs."""


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import ``arguments.path``; 0 where every file was read, 1 where one was not."""
    data_store = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store, ParsingPool() as parsers:
        await store.catalogue.ensure_data_store(data_store)
        shown = _Bar()
        try:
            report = await document_import.import_path(
                store.documents,
                parsers,
                None,
                arguments.path,
                data_store,
                delete_missing=arguments.delete_missing,
                base_uri=arguments.base_uri,
                progress=shown.update,
            )
        except Unreadable as exc:
            terminal.say(f"colloquy: {exc}", to=sys.stderr)
            return 1
        finally:
            shown.end()
    for failure in report.failures:
        terminal.say(f"not imported: {failure.source}: {failure.message} ({failure.reason})")
    if left_out := _left_out(arguments.path):
        terminal.say(f"left out, as no import reads them: {left_out}")
    terminal.say(
        f"{report.succeeded - report.unchanged} imported, {report.unchanged} unchanged, "
        f"{report.deleted} deleted, {report.failed} failed -> {data_store}"
    )
    terminal.say(f"while the service runs, ask it at {await _link(data_store, settings)}")
    return 1 if report.failed else 0


async def _link(data_store: str, settings: Settings) -> str:
    """Return the address of the chat page that asks *data_store*."""
    name = data_store.removeprefix(f"{short_names.COLLECTION}/dataStores/")
    return f"{await _scheme(settings)}://{settings.local_address}/?data-store={quote(name)}"


async def _scheme(settings: Settings) -> str:
    """Return ``https`` where TLS answers at the address of the service, ``http`` elsewhere.

    Whether it speaks TLS is told to `serve` alone, so it is asked; a certificate of another name,
    such as the portal's, says so as well.
    """
    parts = urlsplit(f"//{settings.local_address}")
    try:
        async with asyncio.timeout(_LOOK):
            _, writer = await asyncio.open_connection(
                parts.hostname, parts.port, ssl=ssl.create_default_context()
            )
    except ssl.SSLCertVerificationError:
        return "https"
    except (OSError, TimeoutError):
        return "http"
    writer.transport.abort()
    return "https"


def _left_out(path: Path) -> str:
    """Name the kinds of files below *path* that no import reads, the most frequent first."""
    kinds = folders.unknown_kinds(path).most_common()
    shown = [f"{count} {kind or 'without an ending'}" for kind, count in kinds[:_KINDS]]
    rest = sum(count for _, count in kinds[_KINDS:])
    return ", ".join([*shown, f"{rest} others"] if rest else shown)


class _Bar:
    """A line that grows on a terminal, and nothing elsewhere."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()

    def update(self, report: Report) -> None:
        """Show how far the import is; how much is still to come is not known."""
        if self._shows:
            ticks = "#" * (report.total // 20 % (_BAR + 1))
            terminal.replace(f"[{ticks:<{_BAR}}] {report.total} documents, {report.failed} failed")

    def end(self) -> None:
        """Leave the line."""
        if self._shows:
            terminal.say(to=sys.stderr)
