"""List, show and delete sessions."""

from __future__ import annotations

import argparse
from typing import Final

from service import stores, terminal
from service.commands import short_names
from service.settings import Settings
from service.stores import Stores
from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.resources.sessions import Session

_PAGE: Final = 50


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """List the sessions of a data store, or show or delete one."""
    parent = short_names.stored_data_store(arguments.data_store, settings)
    async with stores.opened(settings) as store:
        if arguments.show:
            name = short_names.stored_session(arguments.show, parent, settings)
            _show(await store.sessions.get(name, details=True))
        elif arguments.delete:
            name = short_names.stored_session(arguments.delete, parent, settings)
            await store.sessions.delete(name)
            terminal.say(f"deleted {name}")
        else:
            await _list(store, parent, arguments.user)
    return 0


async def _list(store: Stores, parent: str, user: str) -> None:
    quoted = user.replace("\\", "\\\\").replace('"', '\\"')
    condition = f'user_pseudo_id="{quoted}"' if user else ""
    token, count = "", 0
    while True:
        page, token = await store.sessions.list(
            ListQuery(parent, page_size=_PAGE, page_token=token, filter=condition)
        )
        for session in page:
            count += 1
            moment = session.end_time or session.start_time
            time = f"{moment:%Y-%m-%d %H:%M}" if moment else ""
            terminal.say(
                f"{names.last_id(session.name):>19}  {time}  {len(session.turns):>4} turns  "
                f"{session.display_name[:60]}"
            )
        if not token:
            break
    if not count:
        await short_names.check_stored(parent, store.catalogue)
    terminal.say(f"{count} sessions of {parent}")


def _show(session: Session) -> None:
    terminal.say(session.name)
    terminal.say(session.display_name)
    for turn in session.turns:
        terminal.write(f"\n> {turn.query.text if turn.query else ''}\n")
        answer = turn.detailed_answer
        if answer is not None:
            terminal.write(f"[{answer.state.name}] {answer.answer_text}\n")
