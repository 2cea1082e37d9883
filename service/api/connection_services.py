"""What all WebSocket connections of a process are served from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec

from service.api import frame_outcomes
from service.api.frame_authorisation import FrameAuthorisation
from service.api.frame_outcomes import ObserveFrame
from service.api.websocket_credentials import Authenticates
from service.corpus.document_access import Viewer
from service.project_numbers import ProjectNumbers
from service.security.limits.rate_limiter import RateLimiter
from sessions.resources import answer_query, conversations
from sessions.spans import UNTRACED, Tracer
from streaming.log.submissions import SubmittedAnswer
from streaming.protocol import frames
from streaming.reading.multiplexer import PATIENCE, View
from streaming.reading.sources import ReaderSources

FAREWELL: Final = 5.0
"""Seconds of `ConnectionServices.farewell`, where nothing else is said."""


class SubmitsQueries(Protocol):
    """Submits queries, as `service.answering.methods.submission` does."""

    async def submit_query(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        """Submit a query; the same *key* of the same *caller* again is the same answer."""
        ...

    async def submit_conversation(
        self,
        name: str,
        request: conversations.ConverseConversationRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        """Submit what is said in a conversation."""
        ...


class ConnectionServices(msgspec.Struct, frozen=True, kw_only=True):
    """What connections are served from.

    *cancel* is that of the runner. *view* makes the response of a conversation, which it is given
    with the ended answer. Where *authentication* requires it, the first frame of a client has to
    say who speaks.
    """

    sources: ReaderSources
    submitter: SubmitsQueries
    cancel: Callable[[str], Awaitable[None]]
    view: View
    version: str
    authentication: Authenticates
    authorisation: FrameAuthorisation
    project_numbers: ProjectNumbers = ProjectNumbers()
    rate_limiter: RateLimiter | None = None
    """What bounds how much one caller asks, over HTTP as well; None sets no bound."""
    tracer: Tracer = UNTRACED
    """What begins the trace of a frame."""
    observe: ObserveFrame = frame_outcomes.ignore
    """What counts and logs the frames that ask for something."""
    limits: frames.Limits = frames.Limits()
    patience: float = PATIENCE
    """Seconds that a client may be behind before its connection is closed as too slow."""
    farewell: float = FAREWELL
    """Seconds within which a close frame reaches the socket, or the socket is given up."""
