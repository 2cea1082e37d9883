"""Keep what owns answers: the one way in which sessions and conversations are stored.

Both are a hash (the resource as JSON, without its turns or messages, and a few facts that the
scripts of a running answer keep up to date) and a list (the turns or messages, append-only), in
one slot with all their answers. `sessions.stores.store_set` says what is particular to either.

Each change is one script. The list index follows it; a change whose index write was lost is found
and repaired by the next `get` or `update`.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final, Generic, NoReturn

import msgspec
from msgspec import structs

from sessions import names
from sessions.codec import field_masks, json_codec
from sessions.errors import Aborted, AlreadyExists, Internal, InvalidArgument, NotFound
from sessions.listing.list_index import CHUNK, ListIndex
from sessions.listing.page_tokens import PageTokens
from sessions.listing.pagination import ListQuery, Pagination
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys
from sessions.stores.owner_kinds import Owner, OwnerHash, OwnerKind
from sessions.stores.owner_reader import OwnerReader, OwnerRecord, damaged
from sessions.stores.trash import Trash

MAX_USER: Final = 128
"""Characters of a user pseudo id (``SearchRequest.userPseudoId``)."""

_ATTEMPTS: Final = 10
"""How often a change is tried against others before it is ABORTED."""
_STAGED: Final = 60_000
"""Milliseconds for which staged turns wait for the script that takes them."""

_CREATE: Final = Script("sessions.stores", "scripts/create.lua")
_UPDATE: Final = Script("sessions.stores", "scripts/update.lua")
_DELETE: Final = Script("sessions.stores", "scripts/delete.lua")
_STAGE: Final = Script("sessions.listing", "scripts/stage.lua")


class _Owned(msgspec.Struct, rename="camel"):
    """Whose a stored session or conversation is; the rest of it is not read."""

    user_pseudo_id: str = ""


_OWNED: Final = msgspec.json.Decoder(_Owned)


class OwnerStore(Generic[Owner]):
    """The sessions, or the conversations, of all parents.

    Whether the parent exists is for the caller to know. Names are canonical. Every method raises
    `Unavailable` while Redis is away; a change may then have happened or not, but not by half.
    """

    def __init__(self, redis: Redis, keys: Keys, kind: OwnerKind[Owner]) -> None:
        self._redis = redis
        self._keys = keys
        self._kind = kind
        self._reader = OwnerReader(redis, keys, kind)
        self._trash = Trash(redis, keys)
        self.index = ListIndex(redis, keys, kind.collection)
        tokens = PageTokens(redis, keys)
        self._pagination = Pagination(
            self.index, tokens, self._reader.read_many, kind.fields, kind.orders
        )

    async def create(
        self, parent: str, resource: Owner, *, resource_id: str = "", user: str = ""
    ) -> Owner:
        """Open a session under *parent* and return it in full.

        The id is that of a full name in *resource*, or *resource_id*, or a new one. *user* is its
        user pseudo id where *resource* has none.

        Raises:
            AlreadyExists: there is one of this name.
            InvalidArgument: the name is not one under *parent*, its id is none that may be chosen,
                or a field is too long.
        """
        name = self._name(parent, resource.name, resource_id)
        document, items, title = self._kind.split(resource)
        document = structs.replace(
            document,
            state=self._kind.blank.state,
            user_pseudo_id=document.user_pseudo_id or user,
        )
        self._check_user(document)
        created = await self._create(name, document, items, title)
        await self.index.touch(name, created, document.user_pseudo_id)
        ended = created if items else 0
        owner = OwnerHash(name, document, b"", created, created, ended, title=title)
        return self._kind.assemble(owner, items)

    async def get(self, name: str) -> Owner:
        """Return the session or conversation *name*, whole and as it was at one moment.

        What waits behind a running answer stands at the end of its turns or messages.

        Raises:
            NotFound: there is none of this name.
            Internal: it, or one of its turns or messages, is damaged.
        """
        found, place = await self._reader.read_one(name, self.index.place_command(name))
        whole = None if found is None else await self._listed(found, place)
        if whole is None:
            raise names.absent(name)
        return whole

    async def owned(self, name: str, user: str) -> Owner | None:
        """Return *name* as `get` does if it is of *user*, else None; nothing is of the user "".

        What is damaged is nobody's. What is somebody else's takes as long as what is not there.

        Raises:
            Internal: it is, and one of its turns or messages is damaged.
        """
        place = self.index.place_command(name)
        found, is_whole, place = await self._reader.read_owned(name, user, place)
        if found is None:
            return None
        if is_whole:
            return await self._listed(found, place)
        with contextlib.suppress(NotFound):  # it was deleted meanwhile
            owner = await self.get(name)
            if owner.user_pseudo_id == user:
                return owner
        return None

    async def _listed(self, found: OwnerRecord, place: bytes | None) -> Owner | None:
        """Return what was *found* with what waits, and list it as updated; None if it is gone."""
        if found.is_busy:
            (whole,) = await self._reader.with_waiting([found])
            if whole is None:
                return None
            found = whole
        owner = self._reader.decode(found)
        # Its last writer was killed, or lost Redis, between its script and the index.
        if place is None or int(float(place)) < owner.updated:
            await self.index.touch(found.name, owner.updated, owner.user)
        return self._whole(owner, found.items)

    async def exists(self, name: str) -> bool:
        """Tell whether there is a session or conversation of this *name*."""
        key = self._keys.session(name)
        return bool(await self._redis.execute(key, "HEXISTS", key, "json"))

    async def user(self, name: str) -> str | None:
        """Return the user pseudo id of *name*, a session or a conversation; None where it is not.

        What is damaged is nobody's.
        """
        key = self._keys.session(name)
        json: bytes | None = await self._redis.execute(key, "HGET", key, "json")
        if json is None:
            return None
        try:
            return _OWNED.decode(json).user_pseudo_id
        except (msgspec.DecodeError, UnicodeError):
            return ""

    async def touch(self, name: str) -> None:
        """List *name* at its last update; call it after a change that did not go through here."""
        found = await self._reader.read_traces(name)
        if found is not None:
            await self.index.touch(name, found.updated, found.user)

    async def list(self, query: ListQuery) -> tuple[list[Owner], str]:
        """Return one page, in full, and the token of the next or "" (AIP-158).

        What is damaged is left out, so that the others can be listed.

        Raises:
            InvalidArgument: (``pageSize``, ``pageToken``, ``filter``, ``orderBy``)
        """
        ids, token = await self._pagination.page(query)
        listed = [self._full(query.parent, each) for each in ids]
        found = await self._reader.read_whole(listed)
        for name, each in zip(listed, found, strict=True):
            if each is None:
                await self._forget(name)
        whole = await self._reader.with_waiting(found)
        read = [
            json_codec.undamaged(each.name, partial(self._shown, each)) for each in whole if each
        ]
        return [each for each in read if each is not None], token

    async def update(
        self,
        name: str,
        patch: Owner,
        mask: str | None = None,
        body_fields: Collection[str] = frozenset(),
    ) -> Owner:
        """Overwrite the fields that *mask*, or without one *body_fields*, names (AIP-134).

        Raises:
            NotFound: there is none of this name.
            InvalidArgument: a field cannot be changed, or not to this value.
            Aborted: other writers came first, again and again.
        """
        if patch.name and names.canonical(patch.name) != name:
            self._refuse("name", "is not the name in the path")
        for _ in range(_ATTEMPTS):
            owner = await self._reader.read(name)
            if owner is None:
                raise names.absent(name)
            document, updated = await self._update(owner, patch, mask, body_fields)
            if updated:
                await self.index.touch(name, updated, document.user_pseudo_id)
                return await self.get(name)
        raise _contended(name)

    async def delete(self, name: str) -> None:
        """Delete *name* with all its answers; a running one is stopped by having no place left.

        What is damaged can be deleted as well. It is gone at once and as a whole. Its answers are
        unlinked before this returns or, after a crash, by `Trash.sweep`.

        Raises:
            NotFound: there is none of this name.
        """
        for _ in range(_ATTEMPTS):
            # First: `drop` spares another place, so that one of this name which is created as soon
            # as this one is gone stays listed.
            place = await self.index.place(name)
            found = await self._reader.read_traces(name)
            if found is None:
                await self._forget(name)
                raise names.absent(name)
            outcome = await self._delete(name, found.active)
            if outcome == 1:
                await self.index.drop(name, place, found.user)
                await self._trash.empty(name)
                return
            if outcome == -2:
                await self._trash.empty(name)
        raise _contended(name)

    async def delete_all(self, parent: str) -> int:
        """Delete everything that is listed under *parent*; return how many that were."""
        deleted = 0
        while entries := (await self.index.first(parent, CHUNK, descending=True)).entries:
            for entry in entries:
                try:
                    await self.delete(self._full(parent, entry.id))
                    deleted += 1
                except NotFound:  # it is off the list now, so that this ends
                    continue
        return deleted

    async def delete_older(self, before: int) -> int:
        """Delete what was last updated *before* that moment, in epoch µs; return how many.

        One that is just being answered is left alone.
        """
        return sum(
            [await self.delete_older_of(each, before) for each in await self.index.parents()]
        )

    async def delete_older_of(self, parent: str, before: int) -> int:
        """Delete what was last updated under *parent* as `delete_older` does."""
        deleted = 0
        while entries := (await self.index.first(parent, CHUNK, descending=False)).entries:
            old = [self._full(parent, each.id) for each in entries if each.place < before]
            gone = [await self._delete_if_older(name, before) for name in old]
            deleted += sum(gone)
            # One that stays would come first again; the next round has it.
            if not all(gone) or len(old) < CHUNK:
                break
        return deleted

    async def _delete_if_older(self, name: str, before: int) -> bool:
        found = await self._reader.read_traces(name)
        if found is not None and (found.active or found.updated >= before):
            await self.index.touch(name, found.updated, found.user)
            return False
        with contextlib.suppress(NotFound):  # it was gone, and is off the list now
            await self.delete(name)
        return True

    def _shown(self, found: OwnerRecord) -> Owner:
        return self._whole(self._reader.decode(found), found.items)

    def _whole(self, owner: OwnerHash[Owner], items: Sequence[bytes]) -> Owner:
        try:
            return self._kind.assemble(owner, items)
        except Internal as exc:
            raise damaged(owner.name) from exc

    async def _create(self, name: str, document: Owner, items: Sequence[bytes], title: str) -> int:
        keys = [self._keys.session(name), self._keys.turns(name), self._keys.answers(name)]
        keys += [self._keys.queue(name), self._keys.trashed(name)]
        for _ in range(_ATTEMPTS):
            staged = await self._stage(name, items)
            args = (json_codec.dump(document), title, len(items))
            created: int = await self._redis.run(_CREATE, [*keys, *staged], args)
            if created > 0:
                await self._redis.replicated(keys[0])
                return created
            if created == 0:
                raise AlreadyExists(
                    f"there is a {self._kind.singular} '{name}' already; give another id, or none",
                    reason="RESOURCE_ALREADY_EXISTS",
                    resource=name,
                )
            if created == -1:
                await self._trash.empty(name)
        raise _contended(name)

    async def _update(
        self, owner: OwnerHash[Owner], patch: Owner, mask: str | None, body_fields: Collection[str]
    ) -> tuple[Owner, int]:
        """Write *owner* with the changes; return it and when, 0 where another writer came first."""
        kind, name = self._kind, owner.name
        blank = getattr(kind.blank, kind.items)
        current = structs.replace(owner.document, **{kind.items: blank})
        wanted = field_masks.apply(mask, current, patch, body_fields, kind.mutable)
        anew = getattr(wanted, kind.items) is not blank
        document, items, title = kind.split(wanted)
        self._check_user(document)
        meaning = kind.transition(owner.document, document) if kind.transition else ""
        staged = await self._stage(name, items) if anew else []
        updated: int = await self._redis.run(
            _UPDATE,
            [self._keys.session(name), self._keys.turns(name), *staged],
            (owner.json, json_codec.dump(document), len(items) if anew else "", title, meaning),
        )
        if updated == 0:
            raise names.absent(name)
        if updated > 0:
            await self._redis.replicated(self._keys.session(name))
        return document, max(updated, 0)

    async def _delete(self, name: str, active: str) -> int:
        partition = self._keys.partition(name)
        keys = [self._keys.session(name), self._keys.turns(name), self._keys.queue(name)]
        keys += [self._keys.answers(name), self._keys.trashed(name)]
        keys += [self._keys.trash(partition), self._keys.leases(partition)]
        if active:
            keys += [self._keys.answer(active), self._keys.log(active)]
        deleted: int = await self._redis.run(_DELETE, keys, (name, active))
        await self._redis.replicated(keys[0])
        return deleted

    async def _stage(self, name: str, items: Sequence[bytes]) -> list[bytes]:
        """Lay *items* aside for the script that puts them into place, and return where."""
        if not items:
            return []
        key = self._keys.staged(name, secrets.token_hex(8))
        for start in range(0, len(items), CHUNK):
            await self._redis.run(_STAGE, [key], (_STAGED, *items[start : start + CHUNK]))
        return [key]

    async def _forget(self, name: str) -> None:
        """Take *name* off the list if it is gone; its deletion may have been interrupted."""
        place = await self.index.place(name)
        if place is not None and not await self.exists(name):
            await self.index.drop(name, place)

    def _full(self, parent: str, each: str) -> str:
        return f"{parent}/{self._kind.collection}/{each}"

    def _name(self, parent: str, given: str, resource_id: str) -> str:
        if not given and not resource_id:
            return self._full(parent, names.new_id())
        singular = self._kind.singular
        if resource_id:
            names.checked_id(resource_id, field=f"{singular}Id")
        if not given:
            return self._full(parent, resource_id)
        wanted = names.canonical(given)
        each = names.last_id(wanted)
        if wanted != self._full(parent, each) or (resource_id and each != resource_id):
            form = self._full(parent, resource_id or "ID")
            self._refuse("name", f"give '{form}', or nothing for a new id")
        names.checked_id(each, field=f"{singular}.name")
        return wanted

    def _check_user(self, document: Owner) -> None:
        if len(document.user_pseudo_id) > MAX_USER:
            self._refuse("userPseudoId", f"give at most {MAX_USER} characters")

    def _refuse(self, field: str, problem: str) -> NoReturn:
        path = f"{self._kind.singular}.{field}"
        raise InvalidArgument(f"{path}: {problem}", field=path)


def _contended(name: str) -> Aborted:
    return Aborted(
        f"others keep changing '{name}'; try again", reason="CONCURRENT_UPDATE", resource=name
    )
