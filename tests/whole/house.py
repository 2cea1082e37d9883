"""A service with something of everybody's in it, and credentials of all who may call it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.composition.app import Application, create_app
from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.store import ApiKeyStore
from service.security.principals import Principal, PrincipalKind
from service.security.tokens import trusted_issuers
from service.security.tokens.visitor_store import VisitorMerge
from service.setting_values import CallerBounds
from service.settings import Settings
from sessions.resources.rag_corpora import RagCorpus

LOCATION: Final = "projects/p/locations/global"
COLLECTION: Final = f"{LOCATION}/collections/default_collection"
STORE: Final = f"{COLLECTION}/dataStores/a"
ENGINE: Final = f"{COLLECTION}/engines/a"
OTHER_STORE: Final = f"{COLLECTION}/dataStores/b"


_NO_BOUND: Final = CallerBounds(visitor=0, user=0, address=0, key=0, project=0)


class Caller(NamedTuple):
    """One who calls: a credential, and what is there for who brings it."""

    name: str
    token: str
    kind: PrincipalKind | None
    """None where the credential does not hold."""
    project: str = ""
    stores: tuple[str, ...] = ()
    user: str = ""

    def may_see(self, marker: str) -> bool:
        """Whether what has *marker* in it is there for this caller."""
        _, project, store, user = marker.split("-")
        if self.kind is None or self.project not in ("", project):
            return False
        if self.stores and not any(each.endswith(f"/{store}") for each in self.stores):
            return False
        return not self.user or user in ("all", self.user)


class House:
    """A service with something of everybody's in it, and who calls it."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._root = ""  # as long as there is no key everybody is the operator
        self.callers: list[Caller] = []
        self.ids: dict[str, str] = {}
        self._principals: dict[str, Principal] = {}

    async def call(
        self, token: str, verb: str, path: str, body: Any = None, *, kind: str = "application/json"
    ) -> tuple[int, bytes]:
        """Send a request, and return its status and the whole response."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        data = b"" if body is None else data
        path, _, query = path.partition("?")
        headers = [(b"host", b"127.0.0.1")]
        if data:
            headers += [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(data))]
        if token:
            headers.append((b"authorization", b"Bearer " + token.encode()))
        sent: list[Any] = []
        waiting = [{"type": "http.request", "body": data, "more_body": False}]

        async def receive() -> Any:
            if not waiting:
                await asyncio.Event().wait()
            return waiting.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": verb,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "extensions": {},
            "state": {},
        }
        await self.application.asgi(scope, receive, send)  # pyright: ignore[reportArgumentType]
        content = b"".join(each.get("body", b"") for each in sent[1:])
        return sent[0]["status"], content

    async def made(self, verb: str, path: str, body: Any) -> Any:
        """Return what the operator gets for a request that has to succeed."""
        status, content = await self.call(self._root, verb, f"/v1/{path}", body)
        if status != 200:
            raise AssertionError(f"{verb} {path}: {status} {content!r}")
        return json.loads(content)

    async def furnish(self) -> None:
        """Put something of everybody's into the service, and let all callers in."""
        await self.furnish_contents()
        await self.let_in()

    async def furnish_contents(self) -> None:
        """Put something of everybody's into the service."""
        await self.furnish_stores()
        self.ids["rag_corpus"] = await self.new_corpus()
        self.ids["rag_file"] = await self.new_file()
        for kind, name in (("store", STORE), ("engine", ENGINE)):
            session = f"{name}/sessions/{self.ids['session']}"
            asked = {"query": {"text": "What is the fence of mark-p-a-anna?"}, "session": session}
            asked["userPseudoId"] = "anna"
            reply = await self.made("POST", f"{name}/servingConfigs/default_config:answer", asked)
            self.ids[f"answer of {kind}"] = reply["answer"]["name"].rpartition("/")[2]

    async def furnish_stores(self) -> None:
        """Put something of everybody's into the data stores and engines of both projects."""
        for project in ("p", "q"):
            for store in ("a", "b"):
                await self._furnish_store(project, store)

    async def _furnish_store(self, project: str, store: str) -> None:
        above = COLLECTION.replace("/p/", f"/{project}/")
        name, said = f"{above}/dataStores/{store}", f"mark-{project}-{store}-all"
        named = {"displayName": said}
        await self.made("POST", f"{above}/dataStores?dataStoreId={store}", named)
        engine = {**named, "dataStoreIds": [store], "solutionType": "SOLUTION_TYPE_SEARCH"}
        await self.made("POST", f"{above}/engines?engineId={store}", engine)
        document = {"jsonData": json.dumps({"title": said, "text": f"The fence of {said} is red."})}
        await self.made("POST", f"{name}/branches/0/documents?documentId=d", document)
        for parent in (name, f"{above}/engines/{store}"):
            for user in ("anna", "bert", ""):
                mark = f"mark-{project}-{store}-{user or 'nobody'}"
                session = {"userPseudoId": user, "displayName": mark, "labels": [mark]}
                ident = f"s-{user or 'nobody'}"
                await self.made("POST", f"{parent}/sessions?sessionId={ident}", session)
                talk = {
                    "name": f"{parent}/conversations/c-{user or 'nobody'}",
                    "userPseudoId": user,
                    "messages": [{"userInput": {"input": mark}}],
                }
                await self.made("POST", f"{parent}/conversations", talk)
        self.ids |= {"session": "s-anna", "conversation": "c-anna", "document": "d"}

    @property
    def corpus(self) -> str:
        """The name of the corpus."""
        return f"{LOCATION}/ragCorpora/{self.ids['rag_corpus']}"

    async def new_corpus(self) -> str:
        """Create a corpus and return its id."""
        made = RagCorpus(display_name="mark-p-a-all")
        corpus = await self.application.handler_services.corpus.rag_corpora.create(LOCATION, made)
        return corpus.name.rpartition("/")[2]

    async def new_file(self) -> str:
        """Upload a file to the corpus and return its id."""
        form = (
            b'--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n'
            b'{"rag_file": {"display_name": "mark-p-a-all"}}\r\n--x\r\n'
            b'Content-Disposition: form-data; name="file"; filename="f.txt"\r\n'
            b"Content-Type: text/plain\r\n\r\nThe fence of mark-p-a-all is red.\r\n--x--\r\n"
        )
        path = f"/upload/v1/{self.corpus}/ragFiles:upload"
        kind = "multipart/form-data; boundary=x"
        status, content = await self.call(self._root, "POST", path, form, kind=kind)
        if status != 200:
            raise AssertionError(f"{path}: {status} {content!r}")
        return json.loads(content)["ragFile"]["name"].rpartition("/")[2]

    async def new_operation(self, parent: str) -> str:
        """Keep an ended operation that the server began, and return its id."""
        ident = str(time.monotonic_ns())
        kind = "delete-rag-file" if "/rag" in parent else "import-documents"
        name, by = f"{parent}/operations/{ident}", self._principals["server"].id
        await self.application.container.operations.complete(name, kind, "v1", None, started_by=by)
        return ident

    async def let_in(self) -> None:
        """Make the credentials of all callers."""
        bound = (STORE, ENGINE, self.corpus)
        self._root = (await self._key("operator", Scope.ADMIN)).token
        await self._key("server", Scope.SERVER, project="p")
        await self._key("reader", Scope.READ_ONLY, project="p")
        integration = await self._key("integration", Scope.INTEGRATION, project="p")
        self._change(integration, user=f"{self._principals['integration'].id}")
        await self._key("other project", Scope.ADMIN, project="q")
        await self._key("other store", Scope.SERVER, project="p", stores=(OTHER_STORE,))
        await self._key("own store", Scope.ADMIN, project="p", stores=bound)
        await self._key("revoked", Scope.ADMIN, revoked=True)
        await self._key("expired", Scope.ADMIN, expires=time.time() - 1)
        self._add("none", "", None)
        self._add("unknown", "colloquy_a_" + "0" * 60, None)
        said = {"dataStores": [*bound], "client_id": self._principals["server"].credential}
        user, visitor = trusted_issuers.USER, trusted_issuers.VISITOR
        for name, kind, more, seconds in (
            ("owner", user, {"sub": "anna"}, 300),
            ("other user", user, {"sub": "bert"}, 300),
            ("visitor", visitor, {"sub": "visitor-1"}, 300),
            ("merged", visitor, {"sub": "visitor-2"}, 300),
            ("expired token", user, {"sub": "anna"}, -120),
            ("wrong audience", user, {"sub": "anna", "aud": "another"}, 300),
        ):
            minter = self.application.handler_services.token_minter
            token, _ = await minter.sign(kind, {**said, **more}, seconds)
            is_bad = seconds < 0 or "aud" in more or name == "merged"
            person = PrincipalKind.VISITOR if kind == visitor else PrincipalKind.USER
            self._add(name, token, None if is_bad else person, "p", bound, more["sub"])
        minter = self.application.handler_services.read_token_minter
        for name, store in (("grant", STORE), ("grant of other store", OTHER_STORE)):
            document = f"{store}/branches/0/documents/d"
            granted = await minter.mint(self._principals["server"], document)
            self._add(name, granted.token, PrincipalKind.GRANT, "p", (store,))
        merge = VisitorMerge("p", "visitor-2", "anna", bound)
        await self.application.container.identity.visitors.merge(merge)

    def _add(
        self,
        name: str,
        token: str,
        kind: PrincipalKind | None,
        project: str = "",
        stores: tuple[str, ...] = (),
        user: str = "",
    ) -> Caller:
        caller = Caller(name, token, kind, project, stores, user)
        self.callers.append(caller)
        return caller

    def _change(self, caller: Caller, user: str) -> None:
        self.callers[self.callers.index(caller)] = caller._replace(user=user)

    async def _key(
        self,
        name: str,
        scope: Scope,
        *,
        project: str = "",
        stores: tuple[str, ...] = (),
        revoked: bool = False,
        expires: float = 0.0,
    ) -> Caller:
        container, now = self.application.container, time.time()
        store = ApiKeyStore(container.stores.redis, container.stores.keys)
        key, text = await lifecycle.create(
            store, scope, now=now, project=project, data_stores=stores, expires=expires
        )
        if revoked:
            await lifecycle.revoke(store, key.id, now=now)
        principal = key.principal(key.secrets[0])
        self._principals[name] = principal
        await container.identity.api_keys.refresh()
        is_good = not revoked and not expires
        return self._add(name, text, principal.kind if is_good else None, project, stores)


@contextlib.asynccontextmanager
async def opened(
    redis_url: str, folder: Path, *, rate_limits: CallerBounds = _NO_BOUND
) -> AsyncGenerator[House]:
    """Give an empty house on an empty Redis of its own."""
    settings = Settings(
        data_dir=folder,
        redis_url=redis_url,
        sample=False,
        concurrent_requests=_NO_BOUND,
        rate_limits=rate_limits,  # there are more calls than any caller has
    )
    application = create_app(settings)
    async with application.opened():
        await application.ready.wait()
        yield House(application)


@contextlib.asynccontextmanager
async def furnished(redis_url: str, folder: Path) -> AsyncGenerator[House]:
    """Give a house with everything in it, on an empty Redis of its own."""
    async with opened(redis_url, folder) as house:
        await house.furnish()
        yield house
