"""Keep what each worker of one supervisor counts in a file that the others read.

Whichever of them is asked tells for all. A file belongs to the place of a worker, not to its
process: who is started in the place of one that died goes on with what that had counted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from service.metrics.exposition import Family

SUFFIX: Final = ".metrics"
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(list[Family])
_log = logging.getLogger(__name__)


def write(file: Path, families: Sequence[Family]) -> None:
    """Write *families* to *file*; who reads meanwhile finds the old ones or these, whole.

    Where the disk takes nothing more the old ones stay.
    """
    coming = file.with_suffix(".coming")
    try:
        coming.write_bytes(_ENCODER.encode(families))
        coming.replace(file)
    except OSError as exc:
        _log.warning("metrics_not_shared", extra={"error": str(exc)})


def read_all(file: Path) -> Iterable[Sequence[Family]]:
    """Return what each worker beside *file*, this one too, has written last."""
    return [_read(each) for each in sorted(file.parent.glob(f"*{SUFFIX}"))]


def read_counted(file: Path) -> Sequence[Family]:
    """Return what *file* has of counters and histograms: a gauge tells of a process that is."""
    return [family for family in _read(file) if family.kind != "gauge"]


def _read(file: Path) -> Sequence[Family]:
    try:
        return _DECODER.decode(file.read_bytes())
    except FileNotFoundError:  # the worker has not begun
        return []
