"""The configuration of chats over REST."""

from __future__ import annotations

from litestar import Controller, get
from litestar.di import NamedDependency

from service.answering.completion.widget_config import WidgetConfigMethod
from service.api.http.json_bodies import MessageRequest
from service.api.http.routes import both, operation
from service.corpus.catalogue.catalogue import Catalogue
from service.security.tokens.visitor_minter import VisitorMinter
from sessions import names
from sessions.resources.widget_configs import GetWidgetConfigRequest, WidgetConfig


class WidgetConfigsController(Controller):
    """``…/{dataStores|engines}/*/widgetConfigs/default_search_widget_config``."""

    tags = ("Widgets",)

    @get(
        both("/widgetConfigs/default_search_widget_config"),
        operation_id=operation("GetWidgetConfig"),
        opt={"query": GetWidgetConfigRequest},
    )
    async def get_widget_config(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        visitor_minter: NamedDependency[VisitorMinter],
        widget_config_method: NamedDependency[WidgetConfigMethod],
    ) -> WidgetConfig:
        """Read what a chat begins with: its title, questions to start from, and a contact."""
        query = request.parameters(GetWidgetConfigRequest, name=request.name)
        store = names.store_of(request.name)
        # Who may become a visitor may see what a visitor sees.
        visitor_minter.check_welcome(request.principal, store, await catalogue.data_stores(store))
        return await widget_config_method.get(query, request.viewer)
