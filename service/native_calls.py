"""The border to native code: whatever fails there becomes an error of ours.

A panic in Rust is raised past `Exception`, and what else a library raises cannot be named. Neither
may get further than the one answer, document or request that was at work. (Rust also writes a
panic to standard error, two lines; there is no way to stop that from here.)
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

from sessions.errors import Internal, ServiceError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_PASSING: Final = (GeneratorExit, KeyboardInterrupt, SystemExit)
"""Exit. A cancellation is never seen: nothing is awaited within the border."""

_log = logging.getLogger(__name__)


class NativeFault(Internal):
    """A native library failed on what it was given; the log has the details."""


class Border:
    """Around calls of one *library*: ``with BORDER:``, or `around` a function.

    What they raise but exit and our own errors is logged, and raised as `NativeFault`.
    """

    def __init__(self, library: str) -> None:
        self.library: Final = library

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if exc is None or isinstance(exc, (ServiceError, *_PASSING)):
            return
        _log.error("native_call_failed", exc_info=exc, extra={"library": self.library})
        raise NativeFault(
            f"{self.library} failed on this input; the log of the service has the details",
            reason="NATIVE_CODE_FAILED",
            library=self.library,
        ) from exc

    def around(self, call: Callable[_P, _T]) -> Callable[_P, _T]:
        """Return *call* within the border."""

        @functools.wraps(call)
        def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            with self:
                return call(*args, **kwargs)

        return guarded


SENTENCEX: Final = Border("sentencex")
TANTIVY: Final = Border("tantivy")
