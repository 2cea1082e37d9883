"""Opens the doors: the ASGI application whose handlers find the parts by their names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, Protocol

from litestar import Router
from litestar.config.app import AppConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp

from service.api import unimplemented_methods, websocket_endpoint
from service.api.conversation.answers import AnswersController
from service.api.conversation.conversations import ConversationsController
from service.api.conversation.sessions import SessionsController
from service.api.documents.data_stores import DataStoresController
from service.api.documents.documents import DocumentsController
from service.api.documents.engines import EnginesController
from service.api.generation.generate_content import GenerateContentController
from service.api.generation.grounding import GroundingController
from service.api.generation.models import ModelsController
from service.api.health import HealthController, Readiness
from service.api.http import errors, request_bodies, versions
from service.api.http.json_bodies import MessageRequest, MessageResponse
from service.api.http.request_bodies import RequestBodies
from service.api.http.verbs import VerbRouter
from service.api.operations.operations import OperationsController
from service.api.pages import asyncapi, openapi, static_pages
from service.api.pending_requests import PendingRequests
from service.api.rag.rag_corpora import RagCorporaController
from service.api.rag.rag_files import RagFilesController
from service.api.rag.retrieve_contexts import RetrievalsController
from service.api.rag.uploads import UploadsController
from service.api.search.complete_query import CompleteQueryController
from service.api.search.search import SearchController
from service.api.search.user_events import UserEventsController
from service.composition.container import Container
from service.middleware.request_limit import RequestsInFlight
from service.middleware.stack import stacked
from service.project_numbers import ProjectNumbers
from service.settings import Settings
from sessions.errors import ServiceError

_PARTS: Final = (
    "answering",
    "augmenting",
    "batches",
    "completing",
    "conversing",
    "corpora",
    "documents",
    "files",
    "generating",
    "grounded",
    "metrics",
    "models",
    "operations",
    "pools",
    "searching",
    "sockets",
    "uploads",
    "storage",
)
"""What handlers may ask for. One for each handler costs nothing; several are got by tasks."""
_BRINGING: Final = (
    ConversationsController,
    DocumentsController,
    GenerateContentController,
    GroundingController,
    RagFilesController,
    RetrievalsController,
    SessionsController,
)
"""What may be brought more than the bytes of an ordinary body."""


class ApplicationState(Readiness, Protocol):
    """What stands behind the doors."""

    settings: Settings
    questions: PendingRequests
    requests: RequestsInFlight
    bodies: RequestBodies

    @property
    def parts(self) -> Container:
        """The parts of the running service."""
        ...


def doors(house: ApplicationState) -> ASGIApp:
    """Return the ASGI application that leads to *house*."""
    config = AppConfig(
        route_handlers=_handlers(),
        dependencies={
            "readiness": Provide(lambda: house, sync_to_thread=False),
            **{part: _part(house, part) for part in _PARTS},
        },
        state=State(
            {
                "questions": house.questions,
                "bodies": house.bodies,
                "project_numbers": ProjectNumbers(house.settings.project_numbers),
            },
            deep_copy=False,
        ),
        before_request=versions.check,
        middleware=[errors.PanicMiddleware],
        request_class=MessageRequest,
        response_class=MessageResponse,
        request_max_body_size=request_bodies.MAX_BODY,
        exception_handlers={
            ServiceError: errors.handle_service_error,
            HTTPException: errors.handle_http_exception,
            Exception: errors.handle_exception,
        },
        openapi_config=None,
        logging_config=None,
    )
    app = VerbRouter.from_config(config)
    # Where Litestar has its own such: behind the translation of paths, before the router.
    app.asgi_handler = stacked(
        app.asgi_handler,
        hosts=house.settings.known_hosts,
        origins=house.settings.origins,
        requests=house.requests,
    )
    return app


def _handlers() -> list[Any]:
    return [
        AnswersController,
        CompleteQueryController,
        DataStoresController,
        EnginesController,
        HealthController,
        ModelsController,
        OperationsController,
        RagCorporaController,
        SearchController,
        UploadsController,
        UserEventsController,
        Router("/", route_handlers=_BRINGING, request_max_body_size=request_bodies.MAX_LARGE_BODY),
        *unimplemented_methods.handlers(),
        asyncapi.asyncapi_document,
        openapi.openapi_document,
        static_pages.chat_page,
        static_pages.docs_page,
        static_pages.widget_asset,
        websocket_endpoint.follow_answers,
    ]


def _part(house: ApplicationState, part: str) -> Provide:
    get: Callable[[Container], Any] = operator.attrgetter(part)
    return Provide(lambda: get(house.parts), sync_to_thread=False, use_cache=False)
