"""The ``colloquy`` command."""

from __future__ import annotations

import argparse
import functools
import importlib
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

import uvloop

from service import durations, settings, terminal
from service.security.api_keys.api_key import Scope
from service.version import VERSION
from sessions.errors import ServiceError

Command = Callable[[argparse.Namespace, settings.Settings], Coroutine[Any, Any, int]]


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are safe to print: a pattern may have put file names into it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the call, and end with 2."""
        super().error(terminal.text(message))


async def _run(
    module: str, function: str, arguments: argparse.Namespace, given: settings.Settings
) -> int:
    imported = importlib.import_module(f"service.commands.{module}")
    command: Command = getattr(imported, function)
    return await command(arguments, given)


def _command(module: str, function: str = "run") -> Command:
    """Return the *function* of a *module* of `service.commands`, which is imported when it runs.

    What `serve` stands on takes a second to import, and the other commands do without it.
    """
    return functools.partial(_run, module, function)


def main() -> int:
    """Run one command and return its exit status: 0 done, 1 failed, 2 wrong call."""
    terminal.prepare()
    arguments = parser().parse_args()
    command: Command = arguments.command
    # A command says itself what went wrong; the bare names of events would be beside it. What
    # serves says where its log goes.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        # Not by uvicorn's `loop` setting: that is for a loop that uvicorn itself starts.
        return uvloop.run(command(arguments, settings.from_environment()))
    except settings.SettingsError as exc:
        terminal.say(f"colloquy: {exc}", to=sys.stderr)
        return 2
    except ServiceError as exc:
        terminal.say(f"colloquy: {exc.message} ({exc.reason})", to=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read has enough, as `head` has; Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    root = Parser(
        prog="colloquy",
        description="Answers questions from your documents, with proof.",
        epilog="Settings are environment variables COLLOQUY_*; `colloquy doctor` shows them.",
    )
    root.add_argument("--version", action="version", version=f"colloquy {VERSION}")
    commands = root.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _serve(commands.add_parser("serve", help="serve HTTP and WebSocket until a signal"))
    _chat(commands.add_parser("chat", help="ask a running service from the terminal"))
    _import(commands.add_parser("import", help="import a folder or a file into a data store"))
    _evaluate(commands.add_parser("evaluate", help="measure how good the answers are"))
    _data_stores(commands.add_parser("stores", help="list, show or delete data stores"))
    _documents(commands.add_parser("documents", help="list, show or delete documents"))
    _sessions(commands.add_parser("sessions", help="list the sessions of a data store"))
    _keys(commands.add_parser("keys", help="make, list, rotate and revoke API keys"))
    _tokens(commands.add_parser("tokens", help="replace the key that signs the tokens of people"))
    _audit(commands.add_parser("audit", help="print who administered what, or verify it"))
    _user(commands.add_parser("user", help="export or purge what is kept of a user"))
    _backup(commands.add_parser("backup", help="keep all that is stored in a file"))
    _restore(commands.add_parser("restore", help="fill an empty store from a backup"))
    _reindex(commands.add_parser("reindex", help="move to the other search index"))
    command = commands.add_parser("doctor", help="say what is configured, reachable and missing")
    command.set_defaults(command=_command("doctor"))
    return root


def _serve(command: argparse.ArgumentParser) -> None:
    command.add_argument("--tls-cert", type=Path, metavar="FILE", help="certificate chain (PEM)")
    command.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key (PEM)")
    command.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes on the one port (default: 1)"
    )
    command.add_argument("--listener", type=int, help=argparse.SUPPRESS)
    command.add_argument("--metrics-file", type=Path, help=argparse.SUPPRESS)
    command.add_argument("--silent", action="store_true", help=argparse.SUPPRESS)
    command.set_defaults(command=_command("serve"))


def _chat(command: argparse.ArgumentParser) -> None:
    command.add_argument("question", nargs="?", help="ask this and leave; else ask line by line")
    command.add_argument("--url", help="WebSocket address; default: the configured host and port")
    command.add_argument("--data-store", default="guide", help="id or full name (default: guide)")
    command.add_argument("--session", default="", help="id or full name of a session to go on with")
    command.add_argument("--quiet", action="store_true", help="show no states and steps")
    _key_file(command)
    command.set_defaults(command=_command("chat"))


def _key_file(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--key-file",
        type=Path,
        metavar="FILE",
        help="file with the API key to show; default: COLLOQUY_API_KEY",
    )


def _import(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", type=Path, help="a folder, or a file of a known kind")
    command.add_argument("--data-store", required=True, help="id or full name; made if absent")
    command.add_argument(
        "--base-uri", default="", help="what goes before a path to make a document's link"
    )
    command.add_argument(
        "--delete-missing", action="store_true", help="delete documents whose file has vanished"
    )
    command.set_defaults(command=_command("import_documents"))


def _positive(text: str) -> int:
    """Read a number from 1 on.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"give a number from 1 on, not '{text}'")
    return int(text)


def _evaluate(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "data", nargs="?", type=Path, help="folder of labelled documents and conversations"
    )
    command.add_argument(
        "--questions", type=Path, metavar="FILE", help="your own list: CSV, or JSON lines (.jsonl)"
    )
    command.add_argument("--data-store", default="guide", help="id or full name (default: guide)")
    command.add_argument("--engine", default="", help="id or full name, instead of a data store")
    command.add_argument("--report", type=Path, metavar="FILE", help="write a report in HTML")
    command.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table of labelled data"
    )
    command.add_argument(
        "--every",
        type=_positive,
        default=1,
        metavar="N",
        help="ask one of N labelled conversations",
    )
    command.add_argument(
        "--parallel",
        type=_positive,
        default=4,
        metavar="N",
        help="conversations at a time (default: 4)",
    )
    command.add_argument("--url", help="address of REST; default: the configured host and port")
    _key_file(command)
    command.set_defaults(command=_command("evaluate"))


def _sessions(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data-store", default="guide", help="id or full name (default: guide)")
    command.add_argument("--user", default="", help="only sessions of this userPseudoId")
    command.add_argument("--show", metavar="SESSION", help="print one session with its answers")
    command.add_argument("--delete", metavar="SESSION", help="delete one session for good")
    command.set_defaults(command=_command("sessions"))


def _user(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="acts", required=True, metavar="ACT")
    for name, said in (
        ("export", "print everything that is kept of a user, as JSON lines"),
        ("purge", "delete everything that is kept of a user, for good"),
    ):
        act = acts.add_parser(name, help=said)
        act.add_argument("user", help="the userPseudoId of the user")
        act.add_argument(
            "--location",
            default="projects/colloquy/locations/global",
            help="where it is kept (default: projects/colloquy/locations/global)",
        )
        act.set_defaults(command=_command("user_data", name))


def _audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("--after", default="", metavar="ID", help="only entries after this one")
    command.add_argument("--follow", action="store_true", help="go on with what is recorded next")
    command.add_argument(
        "--json", action="store_true", help="one JSON object a line, to be shipped"
    )
    command.add_argument("--verify", action="store_true", help="check that no entry was changed")
    command.set_defaults(command=_command("audit"))


def _keys(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    create = acts.add_parser("create", help="make a key; it is shown once")
    create.add_argument(
        "--scope",
        required=True,
        choices=[scope.value for scope in Scope],
        help="what its bearer is taken for",
    )
    create.add_argument("--label", default="", help="what you know it by")
    create.add_argument("--project", default="", help="the only project that it reaches")
    create.add_argument(
        "--data-store",
        action="append",
        default=[],
        metavar="NAME",
        help="id or full name of a data store, engine or corpus to bind it to; repeatable",
    )
    create.add_argument(
        "--expires", type=durations.seconds, metavar="TIME", help="when it ends, such as 90d or 12h"
    )
    create.set_defaults(command=_command("keys", "create"))
    acts.add_parser("list", help="show all keys, without secrets").set_defaults(
        command=_command("keys", "list_all")
    )
    rotate = acts.add_parser("rotate", help="give a key a new secret; it is shown once")
    rotate.add_argument("key", help="id of the key")
    rotate.add_argument(
        "--overlap",
        type=durations.seconds,
        default=86_400,
        metavar="TIME",
        help="how long the old secret holds, such as 1h or 0s (default: 1d)",
    )
    rotate.set_defaults(command=_command("keys", "rotate"))
    revoke = acts.add_parser("revoke", help="end a key within a second, for ever")
    revoke.add_argument("key", help="id of the key, or the key itself")
    revoke.set_defaults(command=_command("keys", "revoke"))


def _data_stores(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    listing = acts.add_parser("list", help="show the data stores of a project")
    listing.add_argument("--project", default="colloquy", help="id or number (default: colloquy)")
    listing.set_defaults(command=_command("data_stores", "list_all"))
    showing = acts.add_parser("show", help="show one")
    deleting = acts.add_parser("delete", help="delete one with all that is in it, for good")
    for act, function in ((showing, "show"), (deleting, "delete")):
        act.add_argument("data_store", help="id or full name")
        act.set_defaults(command=_command("data_stores", function))
    deleting.add_argument("--yes", action="store_true", help="really")


def _documents(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    listing = acts.add_parser("list", help="show the ids and titles of all documents")
    showing = acts.add_parser("show", help="show one with its passages")
    deleting = acts.add_parser("delete", help="delete one")
    for act, function in (
        (listing, "list_documents"),
        (showing, "show_document"),
        (deleting, "delete_document"),
    ):
        act.add_argument("--data-store", default="guide", help="id or full name (default: guide)")
        act.set_defaults(command=_command("data_stores", function))
    for act in (showing, deleting):
        act.add_argument("document", help="id of the document")


def _backup(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "path", help="a new file, a folder that gets one, or - for standard output"
    )
    command.set_defaults(command=_command("backups", "backup"))


def _restore(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", help="a file that colloquy backup made, or - for standard input")
    command.set_defaults(command=_command("backups", "restore"))


def _reindex(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--to",
        required=True,
        choices=["redis", "embedded"],
        help="build the index that COLLOQUY_INDEX names so, while replicas serve from the other",
    )
    command.set_defaults(command=_command("reindex"))


def _tokens(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    rotate = acts.add_parser("rotate", help="sign tokens of users and visitors by a new key")
    rotate.add_argument(
        "--end-tokens", action="store_true", help="end all tokens that were signed before"
    )
    rotate.set_defaults(command=_command("tokens", "rotate"))


if __name__ == "__main__":
    sys.exit(main())
