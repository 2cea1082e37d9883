"""Tokens of users and visitors over REST."""

from __future__ import annotations

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http.json_bodies import MessageRequest
from service.api.http.routes import both, operation
from service.corpus.catalogue.catalogue import Catalogue
from service.security.tokens.token_minter import TokenMinter
from service.security.tokens.visitor_merges import VisitorMerges
from service.security.tokens.visitor_minter import VisitorMinter
from sessions.resources.tokens import (
    MergeVisitorRequest,
    MergeVisitorResponse,
    MintTokenRequest,
    MintTokenResponse,
    MintVisitorTokenRequest,
    MintVisitorTokenResponse,
)


class TokensController(Controller):
    """``…/{dataStores|engines}/*:mintToken``, ``:mintVisitorToken`` and ``:mergeVisitor``."""

    tags = ("Tokens",)

    @post(both("/:mintToken"), status_code=200, operation_id=operation("MintToken"))
    async def mint_token(
        self,
        request: MessageRequest,
        data: JSONBody[MintTokenRequest],
        catalogue: NamedDependency[Catalogue],
        token_minter: NamedDependency[TokenMinter],
    ) -> MintTokenResponse:
        """Sign a token of a user, whom the portal has signed in."""
        await catalogue.data_stores(request.name)
        return await token_minter.mint(request.principal, request.name, data)

    @post(both("/:mintVisitorToken"), status_code=200, operation_id=operation("MintVisitorToken"))
    async def mint_visitor_token(
        self,
        request: MessageRequest,
        data: JSONBody[MintVisitorTokenRequest],
        catalogue: NamedDependency[Catalogue],
        visitor_minter: NamedDependency[VisitorMinter],
    ) -> MintVisitorTokenResponse:
        """Sign the tokens of a visitor, whom nobody knows, or renew them."""
        data_stores = await catalogue.data_stores(request.name)
        visitor_minter.check_welcome(request.principal, request.name, data_stores)
        return await visitor_minter.mint(request.principal, request.name, data)

    @post(both("/:mergeVisitor"), status_code=200, operation_id=operation("MergeVisitor"))
    async def merge_visitor(
        self,
        request: MessageRequest,
        data: JSONBody[MergeVisitorRequest],
        catalogue: NamedDependency[Catalogue],
        visitor_merges: NamedDependency[VisitorMerges],
    ) -> MergeVisitorResponse:
        """Let a visitor become a user, once, with the sessions and conversations of the visitor."""
        await catalogue.data_stores(request.name)
        return await visitor_merges.merge(request.principal, request.name, data)
