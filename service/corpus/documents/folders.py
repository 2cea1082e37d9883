"""Find the documents of a folder, and read their bytes without leaving it.

Links inside the folder are not followed and special files not opened, whatever becomes of them
between the look and the opening: what they lead to was not named by whoever named the folder.
"""

from __future__ import annotations

import codecs
import contextlib
import itertools
import os
import stat
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from service.corpus import document_ids
from service.corpus.parsing import file_types
from service.corpus.parsing.document_sources import BesideFile, DocumentSource, JsonLine
from service.corpus.parsing.figures import collector, image_links
from service.corpus.parsing.parsed_documents import BodyLimits, Unreadable

_NOT_CONTENT: Final = frozenset({"license", "licence", "copying", "notice"})
"""What lies beside the documents of a folder and is none, if it is plain text or Markdown:
a page of HTML of such a name, or a PDF, tells visitors how to copy something."""
_PLAIN: Final = frozenset({"text/plain", "text/markdown"})
_DEPTH: Final = 100
"""Folders inside each other, each of which is held open while what is in it is read."""
_HIDING: Final = frozenset({"NOT_READABLE", "TOO_DEEP"})
"""Reasons for which nothing was seen of what is in a folder, or in a file of many documents."""
_PIECE: Final = 1024 * 1024
_LIMITS: Final = BodyLimits()
_BESIDE: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".woff", ".woff2"}
)
"""Suffixes of what documents show, or are shown with."""
_SHOWING: Final = frozenset({"text/markdown", "text/html"})
_BESIDE_BYTES: Final = 32 * 1024 * 1024
"""Bytes of the images beside a document, which are held in memory with it."""


class ImportFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A file or document that was not imported; *id* is "" where it has none that we know.

    So has a file of many documents, or a folder.
    """

    source: str
    id: str = ""
    reason: str
    message: str


def failure(source: str, error: Unreadable, document_id: str = "") -> ImportFailure:
    """Return that *source* was not imported, and why."""
    return ImportFailure(source=source, id=document_id, reason=error.reason, message=str(error))


def may_hide_documents(failed: ImportFailure) -> bool:
    """Tell whether what *failed* may have documents that were imported before."""
    return not failed.id and failed.reason in _HIDING


def items(
    path: Path, base_uri: str, *, nested: bool = True
) -> Iterator[DocumentSource | JsonLine | ImportFailure]:
    """Yield the documents of the file, or of all files of the folder, at *path*; blocks.

    Hidden files are left out, and so are links, but *path* itself, which was named. A link that
    leads out of the folder is told as a failure; what others lead to is met anyway. A document's
    link is *base_uri* and its path below the folder. Without *nested*, folders in it are left out.
    """
    if not path.is_dir():
        yield from _documents(None, str(path), _text(path.name), base_uri)
        return
    root = path.resolve()
    unread: list[OSError] = []
    # It holds folders open and compares them with what it saw: none can be swapped for a link.
    for place, folders, files, folder in os.fwalk(root, onerror=unread.append):
        below = Path(place).relative_to(root)
        for error in unread:
            where = _text(str(error.filename or below))
            yield ImportFailure(source=where, reason="NOT_READABLE", message=_reason_of(error))
        unread.clear()
        folders[:] = sorted(name for name in folders if nested and not name.startswith("."))
        if len(below.parts) >= _DEPTH and folders:
            message = f"what lies in folders deeper than {_DEPTH} is not read"
            yield ImportFailure(source=_text(below.as_posix()), reason="TOO_DEEP", message=message)
            folders.clear()
        wanted = [name for name in sorted(files) if _is_wanted(name)]
        for name in [*folders, *wanted]:
            if _is_link(folder, name):
                yield from _left_out(root, below / name)
        for name in wanted:
            if not _is_link(folder, name):
                yield from _documents(folder, name, _text((below / name).as_posix()), base_uri)


def unknown_kinds(path: Path) -> Counter[str]:
    """Count the files below the folder *path* that no import reads, by their suffix; blocks.

    Hidden files and folders do not count, nor what lies beside documents, such as a licence, images
    or style sheets.
    """
    counts: Counter[str] = Counter()
    for _, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            suffix = Path(name).suffix.lower()
            known = suffix in file_types.MIMES or suffix in _BESIDE
            if (
                not name.startswith(".")
                and not known
                and Path(name).stem.lower() not in _NOT_CONTENT
            ):
                counts[_text(suffix)] += 1
    return counts


def _text(path: str) -> str:
    r"""Return *path* as text; bytes that are no UTF-8 are written out, such as ``\xff``."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _is_wanted(name: str) -> bool:
    mime = file_types.MIMES.get(Path(name).suffix.lower())
    is_content = Path(name).stem.lower() not in _NOT_CONTENT or mime not in _PLAIN
    return is_content and mime is not None and not name.startswith(".")


def _is_link(folder: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:  # it has vanished; opening it tells
        return False


def _left_out(root: Path, link: Path) -> Iterator[ImportFailure]:
    """Yield that a *link* was not followed, unless what it leads to lies in *root*."""
    with contextlib.suppress(OSError, RuntimeError):  # it leads nowhere, or to itself
        if (root / link).resolve(strict=True).is_relative_to(root):
            return
    message = "a link that leads out of the folder; copy what it leads to, or import that"
    yield ImportFailure(source=_text(link.as_posix()), reason="LINK_NOT_FOLLOWED", message=message)


def _documents(
    folder: int | None, name: str, relative: str, base_uri: str
) -> Iterator[DocumentSource | JsonLine | ImportFailure]:
    """Yield the document, or those, of a file; without a *folder* its *name* is a path."""
    has_many = file_types.MIMES.get(Path(name).suffix.lower()) == "application/jsonl"
    try:
        with _opened(folder, name) as file:
            if has_many:
                yield from _lines(file, relative, base_uri)
                return
            data = _whole(file)
        files = tuple(_beside(folder, name, data))
    except Unreadable as exc:
        yield failure(relative, exc, "" if has_many else document_ids.from_path(relative))
        return
    yield DocumentSource(
        id=document_ids.from_path(relative),
        data=data,
        filename=relative,
        uri=f"{base_uri.rstrip('/')}/{relative}" if base_uri else relative,
        base=base_uri,
        files=files,
    )


def _beside(folder: int | None, name: str, data: bytes) -> Iterator[BesideFile]:
    """Yield the images that the text *data* may show of the folder in which it lies.

    They lie there or in folders below; one that cannot be read is left out, as is a link.
    """
    if file_types.MIMES.get(Path(name).suffix.lower()) not in _SHOWING:
        return
    room = _BESIDE_BYTES
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = _entered(stack, str(Path(name).parent), None)
        for path in image_links.named_in(data):
            with contextlib.suppress(OSError, Unreadable):
                image = _image(folder, path)
                room -= len(image)
                if room < 0:
                    return
                yield BesideFile(path, image)


def _image(folder: int, path: str) -> bytes:
    """Return the bytes of the file at *path* below *folder*, without following a link."""
    *places, name = path.split("/")
    with contextlib.ExitStack() as stack:
        for place in places:
            folder = _entered(stack, place, folder)
        with _opened(folder, name) as file:
            data = file.read(collector.SOURCE_BYTES + 1)
    if len(data) > collector.SOURCE_BYTES:
        raise Unreadable("TOO_LARGE", f"larger than {collector.SOURCE_BYTES} bytes")
    return data


def _entered(stack: contextlib.ExitStack, place: str, folder: int | None) -> int:
    """Open the folder *place* until *stack* ends; a link only where it was named itself."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    flags |= 0 if folder is None else os.O_NOFOLLOW
    descriptor = os.open(place, flags, dir_fd=folder)
    stack.callback(os.close, descriptor)
    return descriptor


@contextlib.contextmanager
def _opened(folder: int | None, name: str) -> Generator[BinaryIO]:
    """Open a regular file, and nothing else.

    Raises:
        Unreadable: it is none, or cannot be opened or read.
    """
    # Without O_NONBLOCK, opening a pipe waits for somebody who writes into it.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    flags |= 0 if folder is None else os.O_NOFOLLOW
    try:
        if stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=folder is None).st_mode):
            with open(os.open(name, flags, dir_fd=folder), "rb") as file:  # noqa: PTH123 - a descriptor
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    yield file
                    return
    except OSError as exc:
        raise Unreadable("NOT_READABLE", _reason_of(exc)) from exc
    raise Unreadable("NOT_A_FILE", "not a regular file")


def _reason_of(error: OSError) -> str:
    return error.strerror or "it cannot be read"


def _whole(file: BinaryIO) -> bytes:
    data = file.read(_LIMITS.file_bytes + 1)
    if len(data) > _LIMITS.file_bytes:
        raise Unreadable("TOO_LARGE", f"larger than {_LIMITS.file_bytes} bytes")
    return data


def _lines(file: BinaryIO, relative: str, base_uri: str) -> Iterator[JsonLine | ImportFailure]:
    """Yield the lines that say something; of one that is too long only a piece is ever held."""
    ordinal = 0
    for number in itertools.count(1):
        data = file.readline(_LIMITS.file_bytes)
        if not data:
            return
        if not data.endswith(b"\n") and len(data) == _LIMITS.file_bytes:
            while data and not data.endswith(b"\n"):
                data = file.readline(_PIECE)
            message = f"line {number}: longer than {_LIMITS.file_bytes} bytes"
            ordinal += 1
            yield ImportFailure(source=relative, reason="TOO_LARGE", message=message)
            continue
        if number == 1:
            data = data.removeprefix(codecs.BOM_UTF8)
        if data.strip():
            ordinal += 1
            yield JsonLine(
                data=data, filename=relative, number=number, ordinal=ordinal, base=base_uri
            )
