"""Make the issuers of the portal file: with keys from files, or from where a provider has them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from service.portal.portal_file import PortalError
from service.portal.token_issuer import TokenIssuer
from service.project_numbers import ProjectNumbers
from service.security.tokens import verification_keys
from service.security.tokens.key_files import KeyFile
from service.security.tokens.token_claims import LIFE
from service.security.tokens.trusted_issuers import PortalIssuer
from service.security.tokens.verification_keys import KeySource, VerificationKey
from service.settings import variable
from sessions import names

_NO_NUMBERS: Final = ProjectNumbers()


def made(
    tables: tuple[TokenIssuer, ...],
    folder: Path,
    remote: Callable[[TokenIssuer], KeySource],
    numbers: ProjectNumbers = _NO_NUMBERS,
) -> Mapping[str, PortalIssuer]:
    """Return the issuers of *tables* by their names; their files are relative to *folder*.

    Their tokens may name projects by *numbers*. *remote* makes the keys of one that has them at an
    address.

    Raises:
        PortalError: a file cannot be read, or has no keys that can be used.
    """
    return {table.issuer: _issuer(table, folder, remote, numbers) for table in tables}


def _issuer(
    table: TokenIssuer,
    folder: Path,
    remote: Callable[[TokenIssuer], KeySource],
    numbers: ProjectNumbers,
) -> PortalIssuer:
    return PortalIssuer(
        issuer=table.issuer,
        audience=table.audience,
        keys=remote(table) if table.jwks_url else _keys(table, folder),
        longest=0 if table.jwks_url else LIFE,
        data_stores=tuple(names.canonical(name) for name in table.data_stores),
        subject_claim=table.subject_claim,
        data_stores_claim=table.data_stores_claim,
        claims=table.claims,
        numbers=numbers,
    )


def _keys(table: TokenIssuer, folder: Path) -> KeyFile:
    """Return the file of *table*, all of whose keys are for algorithms that it allows."""
    file = folder / (table.secret_file or table.public_key_file)
    try:
        return KeyFile(file, functools.partial(_read, table))
    except OSError as exc:
        raise _error(table, f"'{file}' cannot be read ({exc.strerror})") from exc
    except ValueError as exc:
        raise _error(table, f"'{file}': {exc}") from exc


def _read(table: TokenIssuer, data: bytes) -> Sequence[VerificationKey]:
    if table.secret_file:
        # Editors end a file with a line break, which is no part of the secret.
        keys = [verification_keys.secret_key(data.rstrip(b"\r\n"))]
    else:
        keys = verification_keys.public_keys(data)
    for key in keys:
        if key.algorithm not in table.algorithms:
            raise ValueError(f"it has a key for {key.algorithm}, which algorithms has not")
    return keys


def _error(table: TokenIssuer, problem: str) -> PortalError:
    return PortalError(f"{variable('portal')}: token_issuers, '{table.issuer}': {problem}")
