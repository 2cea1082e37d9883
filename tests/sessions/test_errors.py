"""The errors are those of google.rpc.Code, each with the HTTP status that the code is mapped to."""

from __future__ import annotations

import pytest
from google.rpc import code_pb2  # pyright: ignore[reportMissingTypeStubs] - it has none

from sessions import errors

CODES = {name: code for name, code in code_pb2.Code.items() if name not in ("OK", "UNKNOWN")}


@pytest.mark.parametrize("name", [name for name in CODES if name != "DATA_LOSS"])
def test_each_code_has_its_error(name: str) -> None:
    error = errors.failure(CODES[name], "say what to do", reason="CASE", resource="r")
    assert (error.status, error.code, str(error)) == (name, CODES[name], "say what to do")
    assert (error.reason, error.metadata) == ("CASE", {"resource": "r"})


def test_a_code_without_an_error_is_our_fault() -> None:
    assert isinstance(errors.failure(CODES["DATA_LOSS"], "m", reason="CASE"), errors.Internal)
