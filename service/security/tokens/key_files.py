"""Hold the keys of an issuer that the operator keeps in a file, as the file is now."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from service import secret_files
from service.security.tokens.verification_keys import VerificationKey

FRESH: Final = 10.0
"""Seconds between two looks at a file, and for which a key that was taken out goes on."""
_LARGEST: Final = 64 * 1024
"""Bytes of a file of keys."""

_log = logging.getLogger(__name__)


class KeyFile:
    """The keys in one file; *kid* chooses none of them, since they have none."""

    fresh: float = FRESH

    def __init__(
        self,
        file: Path,
        read: Callable[[bytes], Sequence[VerificationKey]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Read *file*, whose content *read* makes keys of.

        Raises:
            OSError: it cannot be read.
            ValueError: *read* finds nothing in it that can be used.
        """
        self._file = file
        self._read = read
        self._clock = clock
        self._looked_at = clock()
        # Before it is read: what is written meanwhile is seen by the next look.
        self._stamp = secret_files.stamp(file)
        self._keys = self._now()

    async def keys(self, algorithm: str, kid: str) -> Sequence[VerificationKey]:
        """Return those of the *algorithm*."""
        del kid
        if self._clock() - self._looked_at >= FRESH:
            self._look()
        return [key for key in self._keys if key.algorithm == algorithm]

    def _look(self) -> None:
        """Take the file into use if it has changed; what cannot be used is logged, once."""
        self._looked_at = self._clock()
        stamp = secret_files.stamp(self._file)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._keys = self._now()
        except (OSError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else str(exc)
            _log.error("token_keys_refused", extra={"file": str(self._file), "reason": reason})
        else:
            _log.info("token_keys_renewed", extra={"file": str(self._file)})

    def _now(self) -> Sequence[VerificationKey]:
        with self._file.open("rb") as opened:
            return tuple(self._read(opened.read(_LARGEST)))
