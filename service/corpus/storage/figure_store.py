"""Read the images of documents, which are kept beside them in Redis.

For each data store: ``figures`` (hash, id → the digests of the document's images, then what else is
known of them) and ``images`` (hash, digest and id → bytes). They lie in the slot of the documents,
and only the scripts that write these write them: an image comes and goes with its document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.corpus.stored_documents import StoredFigure
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

DIGEST: Final = 16
"""Bytes of a digest; the scripts cut them by it."""
PARTS: Final = ("figures", "images")

_DETAILS: Final = msgspec.msgpack.Decoder(tuple[tuple[int, str, int], ...])


class FigureStore:
    """The images of the documents of all data stores."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def figures(
        self, data_store: str, ids: Sequence[str]
    ) -> dict[str, tuple[StoredFigure, ...]]:
        """Return what images those of these documents have that have any, without their bytes."""
        if not ids:
            return {}
        key = self._keys.corpus(data_store, "figures")
        found: list[bytes | None] = await self._redis.execute(key, "HMGET", key, *ids)
        pairs = zip(ids, found, strict=True)
        return {i: figures for i, stored in pairs if (figures := _unpacked(stored or b""))}

    async def images(self, wanted: Sequence[tuple[str, str, bytes]]) -> list[bytes]:
        """Return the image of each data store, id and digest, b"" where it is gone."""
        commands: list[tuple[bytes, bytes]] = []
        for data_store, document_id, digest in wanted:
            key = self._keys.corpus(data_store, "images")
            commands.append((key, pack("HGET", key, digest + document_id.encode())))
        images: list[bytes] = []
        for reply in await self._redis.batch(commands) if commands else ():
            if isinstance(reply, Exception):
                raise reply
            images.append(bytes(reply or b""))
        return images


def arguments(figures: Sequence[StoredFigure] | None) -> list[bytes | int]:
    """Return *figures* as the scripts take them: their count, -1 to keep what is stored, and them.

    Of no count but 0 and -1 the packed list follows, and then the images.
    """
    if not figures:
        return [-1 if figures is None else 0]
    details = msgspec.msgpack.encode([(f.chunk, f.mime, f.size) for f in figures])
    digests = b"".join(f.digest for f in figures)
    return [len(figures), bytes([len(figures)]) + digests + details, *(f.data for f in figures)]


def _unpacked(stored: bytes) -> tuple[StoredFigure, ...]:
    """Return the images that *stored* tells of, none where it is damaged."""
    count = stored[0] if stored else 0
    try:
        details = _DETAILS.decode(stored[1 + DIGEST * count :]) if count else ()
    except msgspec.MsgspecError:
        return ()
    return tuple(
        StoredFigure(
            chunk=chunk,
            mime=mime,
            size=size,
            digest=stored[1 + DIGEST * n : 1 + DIGEST * (n + 1)],
        )
        for n, (chunk, mime, size) in enumerate(details)
    )
