"""The models that may be asked, over REST."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, get
from litestar.di import NamedDependency

from service.answering.requests.models import Models
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from sessions import names
from sessions.errors import InvalidArgument
from sessions.listing import page_requests
from sessions.resources.models import (
    GetPublisherModelRequest,
    LaunchStage,
    ListPublisherModelsRequest,
    ListPublisherModelsResponse,
    PublisherModel,
    VersionState,
)

_MODELS: Final = "/publishers/{publisher:str}/models"
_COLLECTIONS: Final = ["/v1" + _MODELS, routes.LOCATION + _MODELS]
_REFUSED: Final = {"filter": "filter", "order_by": "orderBy", "page_token": "pageToken"}
_TEXT_EMBEDDING: Final = (
    "gs://google-cloud-aiplatform/schema/predict/instance/text_embedding_1.0.0.yaml"
)
"""The form of what `predict` takes: by it clients know a model that embeds."""
_DEFAULT: Final = 50
_MOST: Final = 100


def operation(name: str) -> Any:
    """Return a maker of operation ids that tells the paths of a model apart."""

    def make(_handler: Any, _method: Any, components: list[Any]) -> str:
        if "endpoints" in components:
            return f"{name}OfEndpoint"
        return f"{name}OfLocation" if "locations" in components else name

    return make


class ModelsController(Controller):
    """``publishers/*/models``."""

    tags = ("Generation",)
    opt = {"versions": versions.GENERATION}  # noqa: RUF012 - the framework copies it

    @get(
        [f"{path}/{{model:str}}" for path in _COLLECTIONS],
        operation_id=operation("GetPublisherModel"),
        opt={"query": GetPublisherModelRequest},
    )
    async def get_model(
        self,
        request: MessageRequest,
        models: NamedDependency[Models],
    ) -> PublisherModel:
        """Read about a model."""
        request.parameters(GetPublisherModelRequest, name=request.name)
        models.check(request.name)
        return _model(request.name, embeds=models.embeds(request.name))

    @get(
        _COLLECTIONS,
        operation_id=operation("ListPublisherModels"),
        opt={"query": ListPublisherModelsRequest},
    )
    async def list_models(
        self,
        request: MessageRequest,
        models: NamedDependency[Models],
    ) -> ListPublisherModelsResponse:
        """Read all models; filters and orders are not offered, since there are few."""
        query = request.parameters(ListPublisherModelsRequest, parent=request.parent)
        for attribute, field in _REFUSED.items():
            if getattr(query, attribute):
                raise InvalidArgument(f"{field}: is not offered here; leave it out", field=field)
        page_requests.size(query.page_size, default=_DEFAULT, maximum=_MOST)
        found = tuple(
            _model(f"{request.name}/{model}", embeds=models.embeds(model))
            for model in models.listed()
        )
        return ListPublisherModelsResponse(publisher_models=found)


def _model(name: str, *, embeds: bool) -> PublisherModel:
    return PublisherModel(
        name=name[name.index("publishers/") :],
        version_id=names.last_id(name).partition("@")[2] or "default",
        launch_stage=LaunchStage.GA,
        version_state=VersionState.VERSION_STATE_STABLE,
        publisher_model_template="projects/{project}/locations/{location}/"
        + name[name.index("publishers/") :],
        predict_schemata={"instanceSchemaUri": _TEXT_EMBEDDING} if embeds else None,
    )
