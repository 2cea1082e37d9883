"""A model on a real port, and what writes candidates by it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

from service.answering.direct.direct_generation import DirectGeneration
from service.answering.query_classes.portal_policy import PortalPolicy
from service.generation.chat_model import chat_completions
from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_completions import (
    ChatCompletions,
    EndpointPolicy,
)
from service.portal.portal import Portal
from service.thread_pools import ThreadPools
from tests.doubles import OpenAIServer, Reply


@contextlib.asynccontextmanager
async def directing(
    *replies: Reply, portal: Portal | None = None
) -> AsyncGenerator[tuple[OpenAIServer, DirectGeneration]]:
    """Let a model that gives *replies* write for *portal*."""
    async with OpenAIServer(*replies) as server, chat_completions.client() as http:
        endpoint = Endpoint(base_url=server.base_url, model="scripted")
        completions = ChatCompletions(http, endpoint, EndpointPolicy(attempts=1))
        policy = PortalPolicy(portal or Portal())
        yield server, DirectGeneration(completions, policy, ThreadPools())
