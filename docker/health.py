"""Say by the exit status whether the service of this container answers queries; 0 where it does.

It runs every few seconds for as long as the container does, so it imports little and not Colloquy:
an HTTP client alone would take several times as long as the question. Run it with ``python -I -S``.
"""

import os
import socket
import sys

PATIENCE = 2  # seconds for each of the two ways to ask
QUESTION = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


def main() -> int:
    """Ask in the clear, and over TLS where that is no HTTP; a certificate is for other names."""
    address = ("127.0.0.1", int(os.environ.get("COLLOQUY_PORT") or 8080))
    status = ask(address, is_encrypted=False) or ask(address, is_encrypted=True)
    return 0 if status == b"200" else 1


def ask(address: tuple[str, int], *, is_encrypted: bool) -> bytes:
    """Return the status of the reply of */readyz*, b"" where there is none."""
    try:
        with socket.create_connection(address, PATIENCE) as connection:
            if not is_encrypted:
                return status_of(connection)
            import ssl  # noqa: PLC0415 - half of the time, and most services speak HTTP in here

            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            with context.wrap_socket(connection) as encrypted:
                return status_of(encrypted)
    except OSError:
        return b""


def status_of(connection: socket.socket) -> bytes:
    """Ask over *connection*, and return the status."""
    connection.sendall(QUESTION)
    words = connection.recv(64).split(b" ", 2)
    return words[1] if words[0].startswith(b"HTTP/") and len(words) > 1 else b""


if __name__ == "__main__":
    sys.exit(main())
