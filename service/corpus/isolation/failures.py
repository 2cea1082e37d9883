"""Why a document is not read that took more than it may, or ended its process."""

from __future__ import annotations

import signal

from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.messages import FailureReply


def out_of_memory(limits: ParsingLimits, size: int) -> FailureReply:
    """Return why a document of *size* bytes was not read that wants too much memory."""
    return _over_limit(f"more than {limits.memory_of(size) // (1024 * 1024)} MB of memory")


def of_end(status: int | None, limits: ParsingLimits, size: int) -> FailureReply:
    """Return why a document of *size* bytes was not read whose process ended with *status*.

    It is None where the process took too long and was killed for it.
    """
    if status is None:
        return _over_limit(f"more than {limits.wall_of(size):.0f} seconds by the clock")
    if status == -signal.SIGXCPU:
        return _over_limit(f"more than {limits.seconds_of(size):.0f} seconds of CPU")
    if status == -signal.SIGKILL:
        # Not ours, which comes with the time: it is the system's, where memory runs out.
        return _over_limit("more memory than there is")
    return FailureReply(reason="PARSER_CRASHED", message="the file makes its reader fail")


def _over_limit(what: str) -> FailureReply:
    message = f"reading the file takes {what}; split or simplify it"
    return FailureReply(reason="PARSE_LIMIT", message=message)
