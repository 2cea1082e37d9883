"""Keys in a file follow the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519

from service.security.tokens import key_files, verification_keys
from service.security.tokens.key_files import KeyFile
from tests.security.tokens import signers

pytestmark = pytest.mark.anyio


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_renewed_file_is_read_within_seconds_and_a_bad_one_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, clock = tmp_path / "keys.pem", Clock()
    first, second = (signers.pem(ed25519.Ed25519PrivateKey.generate()) for _ in range(2))
    file.write_bytes(first)
    keys = KeyFile(file, verification_keys.public_keys, clock)
    (old,) = await keys.keys("EdDSA", "")
    file.write_bytes(second)
    assert await keys.keys("EdDSA", "") == [old], "not at each token"
    clock.now += key_files.FRESH
    (new,) = await keys.keys("EdDSA", "")
    assert new.key.public_bytes_raw() != old.key.public_bytes_raw()
    for break_it in (lambda: file.write_bytes(b"no key"), file.unlink):
        break_it()
        for _ in range(2):
            clock.now += key_files.FRESH
            assert await keys.keys("EdDSA", "") == [new]
    refused = [record for record in caplog.records if record.message == "token_keys_refused"]
    assert len(refused) == 2, "each state of the file is told of once"


async def test_what_an_old_key_verified_is_verified_again(tmp_path: Path) -> None:
    file = tmp_path / "keys.pem"
    file.write_bytes(signers.pem(signers.ED25519))
    assert KeyFile(file, verification_keys.public_keys).fresh == key_files.FRESH
