"""Start a proxy with the example of docker/proxies, where it finds two replicas and a port here.

Only addresses, ports and names of files are put in the place of those of the example.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests import programs
from tests.ports import free_port
from tests.sessions import certificates
from tests.waiting import eventually
from tests.whole.processes import Service

FOLDER: Final = Path(__file__).parents[2] / "docker" / "proxies"
NAME: Final = "help.example.org"
TLS: Final = "/etc/colloquy/tls/tls"


class Proxy(NamedTuple):
    """One that runs."""

    port: int
    certificate: Path
    log: Path

    @property
    def rest(self) -> str:
        """The address of REST."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def websocket(self) -> str:
        """The address of the WebSocket."""
        return f"wss://127.0.0.1:{self.port}/v1/ws"

    @property
    def trust(self) -> ssl.SSLContext:
        """Whom clients of it trust."""
        return ssl.create_default_context(cafile=str(self.certificate))


class _Program(NamedTuple):
    example: str
    address: str
    """What in the example says where to listen, with the port {} in its place."""
    put: str
    """What is put there."""
    command: Callable[[Path], Sequence[str]]
    """What starts it, of the file of the configuration; the first word is the program."""


def _nginx(file: Path) -> Sequence[str]:
    """The example is one of the files that the main configuration includes."""
    folder = file.parent
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    main = folder / "main.conf"
    main.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nworker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}\ninclude {file};\n}}\n"
    )
    # Where root starts it, its worker would be another user, who may not look into the folder.
    if os.geteuid() == 0:
        main.write_text(f"user root;\n{main.read_text()}")
    return ["nginx", "-e", "stderr", "-c", str(main)]


def _haproxy(file: Path) -> Sequence[str]:
    return ["haproxy", "-db", "-f", str(file)]


def _caddy(file: Path) -> Sequence[str]:
    """Without its port for changes, and with a name for clients that connect to an address."""
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni localhost\n}\n"
    file.write_text(options + file.read_text())
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


PROXIES: Final[Mapping[str, _Program]] = {
    "nginx": _Program("nginx.conf", "listen 443 ssl;", "listen {} ssl;", _nginx),
    "haproxy": _Program("haproxy.cfg", "bind :443 ssl", "bind :{} ssl", _haproxy),
    "caddy": _Program("Caddyfile", f"{NAME} {{", "127.0.0.1:{} {{", _caddy),
}
"""Those that Debian has, by the names of their packages."""


@contextlib.asynccontextmanager
async def running(name: str, folder: Path, replicas: Sequence[Service]) -> AsyncGenerator[Proxy]:
    """Run the proxy *name* in front of two *replicas*, with its files in *folder*.

    The test is skipped where the program is not here.
    """
    program, about = programs.path(name, f"Debian's package {name}"), PROXIES[name]
    pair = certificates.localhost(folder)
    proxy = Proxy(free_port(), pair.certificate, folder / "log")
    places = {about.address: about.put.format(proxy.port), **_places(pair)}
    for number, replica in enumerate(replicas, 1):
        places[f"colloquy-{number}:8080"] = f"127.0.0.1:{replica.port}"
    text = (FOLDER / about.example).read_text()
    for old, new in places.items():
        text = text.replace(old, new)
    file = folder / about.example
    file.write_text(text)
    with proxy.log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            program,
            *about.command(file)[1:],
            stdout=output,
            stderr=output,
            env=os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder)},
        )
    try:
        await eventually(lambda: process.returncode is not None or _is_open(proxy.port))
        assert process.returncode is None, proxy.log.read_text()
        yield proxy
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _places(pair: certificates.Certificate) -> dict[str, str]:
    """Return which file stands here for each of the certificate; HAProxy wants both in one."""
    both = pair.certificate.with_name("both.pem")
    both.write_bytes(pair.certificate.read_bytes() + pair.key.read_bytes())
    return {
        f"{TLS}.crt": str(pair.certificate),
        f"{TLS}.key": str(pair.key),
        f"{TLS}.pem": str(both),
    }


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
