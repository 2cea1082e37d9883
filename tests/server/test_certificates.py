"""What clients are shown while the files of certificate and key change, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import ssl
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from service.server import http_server
from service.server.certificates import Certificates
from service.settings import SettingsError
from tests.server.raw_http import App
from tests.sessions import certificates
from tests.sessions.certificates import Certificate
from tests.streaming.sockets import served

pytestmark = pytest.mark.anyio

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Shown:
    """The service over TLS, and the files that it shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.first = certificates.localhost(folder, "first")
        self.second = certificates.localhost(folder, "second")
        self.files = Certificate(folder / "cert.pem", folder / "key.pem")
        self.put(self.first)
        self.watched = Certificates(*self.files)
        self.address = ""

    def put(self, pair: Certificate) -> None:
        """Replace both files."""
        shutil.copy(pair.certificate, self.files.certificate)
        shutil.copy(pair.key, self.files.key)

    @contextlib.asynccontextmanager
    async def dialled(
        self, name: str | None = None, context: ssl.SSLContext | None = None
    ) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect, naming a host or, as to a bare address, none."""
        context = context or trusting()
        host, port = self.address.split(":")
        reader, writer = await asyncio.open_connection(
            host, int(port), ssl=context, server_hostname=name or host
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def seen(self, name: str | None = None) -> bytes:
        """Return the certificate that a new client is shown."""
        async with self.dialled(name) as (_, writer):
            return shown_to(writer)


def trusting(version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if version:
        context.minimum_version = context.maximum_version = version
        context.set_ciphers("ALL:@SECLEVEL=0")
    return context


def shown_to(writer: asyncio.StreamWriter) -> bytes:
    return writer.get_extra_info("ssl_object").getpeercert(binary_form=True)


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Ask once on an open connection; return the status line."""
    writer.write(GET)
    head = await reader.readuntil(b"\r\n\r\n")
    (length,) = [
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if b"content-length" in line
    ]
    await reader.readexactly(length)
    return head.partition(b"\r\n")[0]


@pytest.fixture
async def shown(tmp_path: Path) -> AsyncGenerator[Shown]:
    shown = Shown(tmp_path)
    with_tls = http_server.configuration(App(), certificates=shown.watched)  # type: ignore[arg-type]

    def configure(config: object) -> None:
        config.ssl_context_factory = with_tls.ssl_context_factory  # type: ignore[attr-defined]

    async with served(App(), configure) as shown.address:  # type: ignore[arg-type]
        yield shown


@pytest.mark.parametrize("name", [None, "localhost", "other.example"])
async def test_who_connects_after_a_renewal_sees_the_new_certificate(
    shown: Shown, name: str | None
) -> None:
    """Whatever host it names, or none."""
    assert await shown.seen(name) == shown.first.der
    shown.put(shown.second)
    shown.watched.look()
    assert await shown.seen(name) == shown.second.der


async def test_who_is_connected_stays_connected(shown: Shown) -> None:
    async with shown.dialled() as (reader, writer):
        assert await asked(reader, writer) == b"HTTP/1.1 200 OK"
        shown.put(shown.second)
        shown.watched.look()
        assert await shown.seen() == shown.second.der
        assert await asked(reader, writer) == b"HTTP/1.1 200 OK"
        assert shown_to(writer) == shown.first.der


async def test_the_old_pair_stays_where_the_new_one_is_half_written(
    shown: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    """A certificate without its key is refused, told of once, and taken when its key comes."""
    caplog.set_level(logging.INFO)
    shutil.copy(shown.second.certificate, shown.files.certificate)
    shown.watched.look()
    shown.watched.look()
    assert await shown.seen() == shown.first.der
    shutil.copy(shown.second.key, shown.files.key)
    shown.watched.look()
    assert await shown.seen() == shown.second.der
    told = [record for record in caplog.records if record.msg.startswith("tls_")]
    assert [record.msg for record in told] == ["tls_certificate_refused", "tls_certificate_renewed"]
    assert "is not that of the certificate" in vars(told[0])["reason"]


@pytest.mark.parametrize("damage", ["absent", "empty", "no PEM", "encrypted"])
async def test_the_old_pair_stays_where_the_new_one_is_of_no_use(
    shown: Shown, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    key = shown.files.key
    match damage:
        case "absent":
            key.unlink()
        case "empty":
            key.write_bytes(b"")
        case "encrypted":
            key.write_bytes(certificates.encrypted(shown.first))
        case _:
            key.write_text("-----BEGIN NOTHING-----\n")
    shown.watched.look()
    assert await shown.seen() == shown.first.der
    (told,) = [record for record in caplog.records if record.msg == "tls_certificate_refused"]
    assert str(key) in vars(told)["reason"] or "encrypted" in vars(told)["reason"]


async def test_a_link_to_another_folder_is_a_renewal(tmp_path: Path) -> None:
    """Kubernetes replaces a link to a folder, and touches no file that is named."""
    made = [certificates.localhost(tmp_path, name) for name in ("old", "new")]
    for pair, folder in zip(made, (tmp_path / "1", tmp_path / "2"), strict=True):
        folder.mkdir()
        shutil.copy(pair.certificate, folder / "tls.crt")
        shutil.copy(pair.key, folder / "tls.key")
    link = tmp_path / "data"
    link.symlink_to(tmp_path / "1")
    watched = Certificates(link / "tls.crt", link / "tls.key")
    fresh = tmp_path / "data.new"
    fresh.symlink_to(tmp_path / "2")
    fresh.rename(link)
    watched.look()
    async with served_by(watched) as address:
        assert await first_seen(address) == made[1].der


async def test_files_that_stay_are_not_read_again(
    shown: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    shown.watched.look()
    assert [record.msg for record in caplog.records if record.msg.startswith("tls_")] == []


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1:DeprecationWarning")
async def test_versions_of_tls_before_1_2_are_refused(
    shown: Shown, version: ssl.TLSVersion
) -> None:
    with pytest.raises((ssl.SSLError, ConnectionError)):
        async with shown.dialled(context=trusting(version)):
            pass


@pytest.mark.parametrize("renewed", [False, True])
async def test_ciphers_without_forward_secrecy_or_authentication_are_refused(
    shown: Shown, *, renewed: bool
) -> None:
    if renewed:
        shown.put(shown.second)
        shown.watched.look()
    weak = trusting(ssl.TLSVersion.TLSv1_2)
    weak.set_ciphers("ECDHE-ECDSA-AES128-SHA256:AES128-GCM-SHA256:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        async with shown.dialled(context=weak):
            pass
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        async with shown.dialled(context=trusting(version)) as (_, writer):
            cipher, spoken, bits = writer.get_extra_info("ssl_object").cipher()
            assert spoken == version.name.replace("_", ".")
            assert bits >= 128
            assert "GCM" in cipher or "CHACHA20" in cipher


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("absent", "cannot be read (No such file or directory)"),
        ("other", "is not that of the certificate in"),
        ("no PEM", "are not a certificate chain and its key in PEM"),
        ("encrypted", "the key is encrypted"),
    ],
)
def test_what_cannot_be_served_is_refused_at_the_start(
    tmp_path: Path, damage: str, said: str
) -> None:
    pair = certificates.localhost(tmp_path)
    match damage:
        case "absent":
            pair.key.unlink()
        case "other":
            pair = Certificate(pair.certificate, certificates.localhost(tmp_path, "other").key)
        case "encrypted":
            pair.key.write_bytes(certificates.encrypted(pair))
        case _:
            pair.certificate.write_text("nothing")
    with pytest.raises(SettingsError) as refused:
        Certificates(*pair)
    assert str(refused.value).startswith("--tls-cert and --tls-key: ")
    assert said in str(refused.value)


@contextlib.asynccontextmanager
async def served_by(watched: Certificates) -> AsyncGenerator[str]:
    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0, ssl=watched.context)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def first_seen(address: str) -> bytes:
    host, port = address.split(":")
    _, writer = await asyncio.open_connection(host, int(port), ssl=trusting())
    try:
        return shown_to(writer)
    finally:
        writer.close()
        await writer.wait_closed()
