"""Checking, ranking and grounded writing over REST: methods that store nothing."""

from __future__ import annotations

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods import check_grounding, rank
from service.answering.methods.grounded_generation import GroundedGeneration
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.thread_pools import ThreadPools
from sessions.resources.check_grounding import CheckGroundingRequest, CheckGroundingResponse
from sessions.resources.grounded_generation import (
    GenerateGroundedContentRequest,
    GenerateGroundedContentResponse,
)
from sessions.resources.rank import RankRequest, RankResponse


class GroundingController(Controller):
    """``…/groundingConfigs``, ``…/rankingConfigs`` and ``:generateGroundedContent``."""

    tags = ("Grounding",)

    @post(
        routes.LOCATION + "/groundingConfigs/{grounding_config:str}/:check",
        status_code=200,
        operation_id="CheckGrounding",
        opt={"versions": versions.SEARCH},
    )
    async def check_grounding(
        self, data: JSONBody[CheckGroundingRequest], thread_pools: NamedDependency[ThreadPools]
    ) -> CheckGroundingResponse:
        """Hold each claim of a text against given facts."""
        check_grounding.check(data)
        return await thread_pools.checking.run(check_grounding.support, data)

    @post(
        routes.LOCATION + "/rankingConfigs/{ranking_config:str}/:rank",
        status_code=200,
        operation_id="Rank",
        opt={"versions": versions.SEARCH},
    )
    async def rank(
        self, data: JSONBody[RankRequest], thread_pools: NamedDependency[ThreadPools]
    ) -> RankResponse:
        """Order records by how likely they answer a query."""
        rank.check(data)
        return await thread_pools.checking.run(rank.rank, data)

    @post(
        routes.LOCATION + "/:generateGroundedContent",
        status_code=200,
        operation_id="GenerateGroundedContent",
        opt={"versions": ("v1", "v1beta")},
    )
    async def generate_grounded_content(
        self,
        request: MessageRequest,
        data: JSONBody[GenerateGroundedContentRequest],
        grounded_generation: NamedDependency[GroundedGeneration],
    ) -> GenerateGroundedContentResponse:
        """Write the next content from given facts, or from what a search finds."""
        return await request.answer(grounded_generation.generate(data, request.viewer))
