"""The bytes of commands, however they are written."""

from __future__ import annotations

import pytest

from sessions.redis.resp_socket import pack, packer


@pytest.mark.parametrize(
    "rest", [(), (b"updated",), (b"0", b"-1"), (b"", b"100%"), (b"$0\r\n\r\n",)]
)
@pytest.mark.parametrize("key", [b"", b"c:{p7}:s:one", b"50%d", "clé".encode()])
def test_a_packer_writes_what_pack_writes(key: bytes, rest: tuple[bytes, ...]) -> None:
    """It is written in two parts, and what is in them must not be taken for a place to fill."""
    assert packer(b"HMGET", *rest)(key) == pack(b"HMGET", key, *rest)
