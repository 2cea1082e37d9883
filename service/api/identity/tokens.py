"""Tokens of users over REST."""

from __future__ import annotations

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http.json_bodies import MessageRequest
from service.api.http.routes import both, operation
from service.corpus.catalogue.catalogue import Catalogue
from service.security.tokens.token_minter import TokenMinter
from sessions.resources.tokens import MintTokenRequest, MintTokenResponse


class TokensController(Controller):
    """``…/{dataStores|engines}/*:mintToken``."""

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
