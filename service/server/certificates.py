"""Show the certificate that lies in two files now, to each client that connects from then on.

Certificates live for weeks and connections for hours, so a renewed one is taken into use while the
service runs: what is open keeps the one that it began with, and nothing is closed.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path
from typing import Any, Final, NoReturn

from service import secret_files
from service.settings import SettingsError

_PAUSE: Final = 1.0
"""Seconds between two looks at the files, which cost two calls of the system."""

_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""What TLS 1.2 may use: forward secrecy and authenticated encryption (OWASP ASVS 5.0, 12.1.2).

TLS 1.3 has no others.
"""

_log = logging.getLogger(__name__)


class Certificates:
    """A certificate chain and its private key, in PEM, and the TLS that is spoken with them."""

    def __init__(self, chain: Path, key: Path) -> None:
        """Read both files.

        Raises:
            SettingsError: they cannot be used; the message says which, and why.
        """
        self._chain = chain
        self._key = key
        # Before they are read: what is written meanwhile is seen by the next look.
        self._stamp = secret_files.stamp(chain, key)
        try:
            self.context: Final = _context(chain, key)
        except (OSError, ValueError) as exc:
            raise SettingsError(f"--tls-cert and --tls-key: {_reason(exc, chain, key)}") from exc
        self._newest = self.context
        # OpenSSL asks this in every handshake, whether or not the client names a host. To load
        # into the context in use would not do: a key that does not fit would leave it with half.
        self.context.sni_callback = self._choose

    async def watch(self) -> NoReturn:
        """Take the files into use whenever they have changed, until cancelled."""
        while True:
            await asyncio.sleep(_PAUSE)
            self.look()

    def look(self) -> None:
        """Take the files into use if they have changed; those that cannot be used are logged."""
        stamp = secret_files.stamp(self._chain, self._key)
        if stamp == self._stamp:
            return
        # Also where they are wrong: each state of the files is told of once, and a pair that is
        # written one file after the other is tried again at its second.
        self._stamp = stamp
        try:
            self._newest = _context(self._chain, self._key)
        except (OSError, ValueError) as exc:
            reason = _reason(exc, self._chain, self._key)
            _log.error("tls_certificate_refused", extra={"reason": reason})
        else:
            _log.info("tls_certificate_renewed", extra={"file": str(self._chain)})

    def _choose(self, handshake: ssl.SSLObject, _: str | None, __: ssl.SSLContext) -> None:
        handshake.context = self._newest


def _context(chain: Path, key: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(_CIPHERS)
    # A client that asks for new keys again and again would have the CPU to itself.
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(chain, key, password=_no_password)
    return context


def _no_password() -> Any:
    # Without this OpenSSL would ask on the terminal, and hold up the whole process until then.
    raise ValueError(
        "the key is encrypted; store it without a password, readable by its user alone"
    )


def _reason(failure: OSError | ValueError, chain: Path, key: Path) -> str:
    """Say what is wrong in words; OpenSSL names no file."""
    for file in (chain, key):
        try:
            with file.open("rb"):
                pass
        except OSError as exc:
            return f"{file} cannot be read ({exc.strerror})"
    if isinstance(failure, ssl.SSLError):
        if failure.reason == "KEY_VALUES_MISMATCH":
            return f"the key in {key} is not that of the certificate in {chain}"
        return (
            f"{chain} and {key} are not a certificate chain and its key in PEM ({failure.reason})"
        )
    return str(failure)
