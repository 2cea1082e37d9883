"""A service that asks who calls, and credentials of each kind for the official clients."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from service.corpus.documents import folders
from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import ApiKey, Scope
from service.security.api_keys.store import ApiKeyStore
from service.settings import Settings
from tests import redis_servers
from tests.clients import conftest, discovery
from tests.clients.aiplatform import FEES, Rag
from tests.clients.discovery import Api, Service

PROJECT: Final = "colloquy"
GUIDE: Final = Path(folders.__file__).parents[2] / "guide" / "tokens.md"


class Keyed(NamedTuple):
    """A service with keys: *admin* may do everything, *server* is of a data store and a corpus.

    The portal of the guide's page about tokens signs its own, by ``portal.key`` in *folder*.
    """

    service: Service
    folder: Path
    admin: str
    server: str
    data_store: str
    corpus: str

    @property
    def wrong(self) -> str:
        """A key of the right form that nobody has."""
        return self.server[:-1] + ("0" if self.server[-1] != "0" else "1")

    def make(self, scope: Scope, **given: Any) -> tuple[ApiKey, str]:
        """Make a key as an operator does beside the service, which knows it when this returns."""
        made = self.service.run(lifecycle.create(self._kept(), scope, now=time.time(), **given))
        self.service.run(self.service.application.container.identity.api_keys.refresh())
        return made

    def revoke(self, key: ApiKey) -> None:
        """Revoke a key likewise."""
        self.service.run(lifecycle.revoke(self._kept(), key.id, now=time.time()))
        self.service.run(self.service.application.container.identity.api_keys.refresh())

    def empty(self, kind: str, holder: str) -> None:
        """Leave a bucket of no project without anything, for some seconds at least."""
        stores = self.service.application.container.stores
        key, full_at = stores.keys.quota("", kind, holder, "rate"), (time.time() + 70) * 1000
        self.service.run(stores.redis.execute(key, b"SET", key, full_at, b"PX", 70_000))

    def token(self, subject: str) -> str:
        """Return a token of a user, whom the back end of the portal had minted."""
        url = f"{self.service.url}/v1/{self.data_store}:mintToken"
        header = {"x-goog-api-key": self.server}
        return discovery.call(url, "POST", {"subject": subject}, **header).body["token"]

    def api(self, key: str, *, bearer: bool = False, version: str = "v1") -> Api:
        """Return the search and answer clients that show *key*."""
        access = discovery.keyed(self.service.url, key, bearer=bearer)
        return Api(version, self.service.url, PROJECT, access)

    def _kept(self) -> ApiKeyStore:
        stores = self.service.application.container.stores
        return ApiKeyStore(stores.redis, stores.keys)


def snippets(language: str) -> list[str]:
    """Return what the guide's page about tokens shows in *language*, from top to bottom."""
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


@contextmanager
def served(redis_binary: str, folder: Path) -> Generator[Keyed]:
    """Serve on a Redis of its own: all services of one Redis have the same keys."""
    (folder / "portal.toml").write_text(snippets("toml")[0])
    signer = ed25519.Ed25519PrivateKey.generate()
    private = signer.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = signer.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    (folder / "portal.key").write_bytes(private)
    (folder / "portal.pem").write_bytes(public)
    with (
        redis_servers.folder() as of_redis,
        redis_servers.standalone(redis_binary, of_redis) as server,
        conftest.running_service(
            Settings(
                port=0,
                data_dir=folder / "data",
                redis_url=server.url,
                sample=False,
                proxies=("127.0.0.1",),
                portal=folder / "portal.toml",
            )
        ) as service,
    ):
        made = Keyed(service, folder, "", "", "", "")
        _, admin = made.make(Scope.ADMIN)
        api = made.api(admin)
        data_store = api.data_store("help")
        api.import_(data_store, api.document("fees", FEES))
        corpus = Rag("v1", service.url, PROJECT, api.access).corpus(fees=FEES)
        _, key = made.make(Scope.SERVER, project=PROJECT, data_stores=[data_store, corpus])
        yield Keyed(service, folder, admin, key, data_store, corpus)
