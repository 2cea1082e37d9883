"""What native code raises, past `Exception` too, comes out as an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
import sentencex  # pyright: ignore[reportMissingTypeStubs] - it has no types
from litestar import Litestar, get
from litestar.testing import TestClient

from service.api.http import errors
from service.native_calls import SENTENCEX, NativeFault
from sessions.errors import InvalidArgument

_boundaries: Callable[[str, str], Any] = cast(Any, sentencex).get_sentence_boundaries


def panic() -> None:
    """Have Rust panic: it takes the no-break space for one byte."""
    _boundaries("en", "A\u00a0.")


def test_a_panic_is_an_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(NativeFault) as raised:
        SENTENCEX.around(panic)()
    assert (raised.value.reason, raised.value.http) == ("NATIVE_CODE_FAILED", 500)
    assert [entry.getMessage() for entry in caplog.records] == ["native_call_failed"]


def test_what_a_library_raises_is_an_error_of_ours() -> None:
    with pytest.raises(NativeFault), SENTENCEX:
        _boundaries("en", "\ud800")


@pytest.mark.parametrize("passes", [InvalidArgument("no"), KeyboardInterrupt(), SystemExit()])
def test_our_own_errors_and_exit_pass(passes: BaseException) -> None:
    with pytest.raises(type(passes)), SENTENCEX:
        raise passes


@get("/panic", sync_to_thread=False)
def panicking() -> None:
    panic()


def test_a_handler_that_panics_is_told_as_any_failure() -> None:
    app = Litestar(
        [panicking],
        middleware=[errors.PanicMiddleware],
        exception_handlers={Exception: errors.handle_exception},
        openapi_config=None,
        logging_config=None,
    )
    with TestClient(app) as client:
        response = client.get("/panic")
    assert response.status_code == 500
    assert response.json()["error"]["status"] == "INTERNAL"
