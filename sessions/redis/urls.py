"""Read where Redis is and how to enter from one URL, and refuse what cannot be meant.

===================================================  ======================================
``redis://[user:password@]host[:port][/db]``         one server (``rediss://`` with TLS)
``unix://[user:password@]/path/to/socket[?db=0]``    one server on this machine
``redis+sentinel://host:port[,…]/service[/db]``      the master that the sentinels name
``redis+cluster://host:port[,…]``                    a cluster; any of its nodes
===================================================  ======================================

``rediss+sentinel`` and ``rediss+cluster`` add TLS. Options follow a ``?``: ``db``, ``username``,
``password``, ``sentinel_username``, ``sentinel_password``, ``ssl_ca_certs``, ``ssl_certfile``,
``ssl_keyfile`` (paths), ``ssl_cert_reqs`` (``required`` or ``none``).
"""

from __future__ import annotations

import enum
import ssl
import urllib.parse
from typing import Final, NamedTuple

import msgspec

from sessions.errors import InvalidArgument

VARIABLE: Final = "COLLOQUY_REDIS_URL"

_SCHEMES: Final = ("redis", "unix", "redis+sentinel", "redis+cluster")
_OPTIONS: Final = frozenset(
    {"db", "username", "password", "sentinel_username", "sentinel_password"}
    | {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs"}
)


class DeploymentKind(enum.Enum):
    """How Redis is deployed."""

    STANDALONE = "redis"
    SENTINEL = "redis+sentinel"
    CLUSTER = "redis+cluster"


class NodeAddress(NamedTuple):
    """One endpoint: a host with a port, or the path of a unix socket."""

    host: str
    port: int
    path: str = ""

    def __str__(self) -> str:
        """Write it as an operator would look for it; no secrets."""
        return self.path or f"{self.host}:{self.port}"


class Tls(msgspec.Struct, frozen=True):
    """Whom to trust and who we are."""

    ca_certs: str = ""
    certfile: str = ""
    keyfile: str = ""
    verified: bool = True

    def context(self) -> ssl.SSLContext:
        """Build what a socket needs; reads the files.

        Raises:
            InvalidArgument: a file cannot be used; the message names its option and the file.
        """
        try:
            context = ssl.create_default_context(cafile=self.ca_certs or None)
        except OSError as exc:
            raise _unusable("ssl_ca_certs", self.ca_certs, exc) from exc
        try:
            if self.certfile:
                keyfile = self.keyfile or None
                context.load_cert_chain(self.certfile, keyfile, password=_no_password)
        except (OSError, ValueError) as exc:
            options = "ssl_certfile and ssl_keyfile"
            raise _unusable(options, f"{self.certfile}, {self.keyfile}", exc) from exc
        if not self.verified:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """What the URL says."""

    kind: DeploymentKind
    seeds: tuple[NodeAddress, ...]
    """The server, the sentinels, or some nodes of the cluster."""
    service: str = ""
    db: int = 0
    username: str = ""
    password: str = ""
    sentinel_username: str = ""
    sentinel_password: str = ""
    tls: Tls | None = None


def parse(url: str) -> Deployment:
    """Read *url*.

    Raises:
        InvalidArgument: it cannot be meant; the message names the variable and never repeats
            the URL, which may hold a password.
    """
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        raise _bad("the host is not one, as in redis://[::1]:6379/0") from None
    scheme = "redis" + parts.scheme[6:] if parts.scheme.startswith("rediss") else parts.scheme
    if scheme not in _SCHEMES:
        raise _bad("begin with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://")
    options = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(options.keys() - _OPTIONS):
        raise _bad(f"the option '{unknown[0]}' is not known")
    if parts.fragment:
        raise _bad("write '#' in a password as %23")
    credentials, _, hosts = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    path = urllib.parse.unquote(parts.path)
    service = ""
    if scheme == "unix":
        seeds, db = _socket(path, hosts), ""
    else:
        seeds = tuple(
            _address(host, 26379 if "sentinel" in scheme else 6379) for host in hosts.split(",")
        )
        service, db = _service(scheme, path.strip("/"), len(seeds))
    return Deployment(
        kind=DeploymentKind.STANDALONE if scheme == "unix" else DeploymentKind(scheme),
        seeds=seeds,
        service=service,
        db=_number(options.get("db", db) or "0", "the database"),
        username=options.get("username", urllib.parse.unquote(username)),
        password=options.get("password", urllib.parse.unquote(password)),
        sentinel_username=options.get("sentinel_username", ""),
        sentinel_password=options.get("sentinel_password", ""),
        tls=_tls(options) if parts.scheme.startswith("rediss") else None,
    )


def _socket(path: str, host: str) -> tuple[NodeAddress, ...]:
    if not path.strip("/") or host:
        raise _bad("after unix:// comes the path of the socket, as in unix:///run/redis.sock")
    return (NodeAddress("", 0, path),)


def _address(text: str, port: int) -> NodeAddress:
    """Read ``host``, ``host:port`` or ``[v6]:port``."""
    host, colon, number = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, number = text, ""
    host = host.removeprefix("[").removesuffix("]")
    if not host or (":" in host and not text.startswith("[")):
        raise _bad("name a host, as in redis://localhost:6379/0")
    return NodeAddress(host, _number(number, "the port") if number else port)


def _service(scheme: str, path: str, hosts: int) -> tuple[str, str]:
    """Split what follows the hosts into the master's name and the database."""
    if scheme == DeploymentKind.SENTINEL.value:
        service, _, db = path.partition("/")
        if not service:
            raise _bad("name the master, as in redis+sentinel://host:26379/mymaster")
        return service, db
    if scheme == DeploymentKind.CLUSTER.value and path not in ("", "0"):
        raise _bad("a cluster has no databases; end the URL after the nodes")
    if scheme == DeploymentKind.STANDALONE.value and hosts > 1:
        raise _bad("several hosts need redis+sentinel:// or redis+cluster://")
    return "", path


def _number(text: str, what: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise _bad(f"{what} '{text[:20]}' is not a number")
    return int(text)


def _tls(options: dict[str, str]) -> Tls:
    demand = options.get("ssl_cert_reqs", "required")
    if demand not in ("required", "none"):
        raise _bad("ssl_cert_reqs is 'required' or 'none'")
    return Tls(
        ca_certs=options.get("ssl_ca_certs", ""),
        certfile=options.get("ssl_certfile", ""),
        keyfile=options.get("ssl_keyfile", ""),
        verified=demand == "required",
    )


def _no_password() -> str:
    # Without this OpenSSL would ask on the terminal, and hold up the whole process until then.
    raise ValueError("the key is encrypted; store it without a password")


def _unusable(option: str, files: str, failure: OSError | ValueError) -> InvalidArgument:
    why = failure.reason if isinstance(failure, ssl.SSLError) else None
    why = why or (failure.strerror if isinstance(failure, OSError) else str(failure))
    return _bad(f"{option} ({files}) cannot be used: {why}")


def _bad(message: str) -> InvalidArgument:
    return InvalidArgument(f"{VARIABLE}: {message}", field=VARIABLE, reason="BAD_REDIS_URL")
