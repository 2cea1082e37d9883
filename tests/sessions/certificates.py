"""Make the certificates that servers and clients of tests show each other."""

from __future__ import annotations

import datetime as dt
import ipaddress
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificate(NamedTuple):
    """A certificate and its private key, in PEM."""

    certificate: Path
    key: Path

    @property
    def der(self) -> bytes:
        """The certificate as a handshake brings it."""
        loaded = x509.load_pem_x509_certificate(self.certificate.read_bytes())
        return loaded.public_bytes(serialization.Encoding.DER)


class Authority:
    """Signs certificates; its own lies in a file, for those who are to trust them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of tests")])
        made = _builder(self._name, self._name, self._key, is_authority=True)
        self.certificate = folder / "authority.pem"
        self.certificate.write_bytes(_pem(made.sign(self._key, hashes.SHA256())))

    def issue(self, name: str) -> Certificate:
        """Sign a certificate for localhost, in files of this *name*."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signed = _builder(subject, self._name, key).sign(self._key, hashes.SHA256())
        return _stored(self._folder, name, signed, key)


def localhost(folder: Path, name: str = "") -> Certificate:
    """Make a certificate for localhost in *folder* that is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = _builder(subject, subject, key, is_authority=True).sign(key, hashes.SHA256())
    return _stored(folder, name or "localhost", made, key)


def encrypted(pair: Certificate) -> bytes:
    """Return the key of *pair* in PEM, under a password."""
    key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool = False,
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(here), critical=False)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )


def _stored(
    folder: Path, name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> Certificate:
    made = Certificate(folder / f"{name}.pem", folder / f"{name}-key.pem")
    made.certificate.write_bytes(_pem(certificate))
    made.key.touch(mode=0o600)
    made.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return made


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
