"""Routes requests: the ASGI application whose handlers are given what they call by its name."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

from litestar import Router
from litestar.config.app import AppConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp

from service.access_log import AccessLog
from service.api import unimplemented_methods, websocket_endpoint
from service.api.conversation.answers import AnswersController
from service.api.conversation.conversations import ConversationsController
from service.api.conversation.sessions import SessionsController
from service.api.documents.data_stores import DataStoresController
from service.api.documents.documents import DocumentsController
from service.api.documents.engines import EnginesController
from service.api.generation.embed_content import (
    EmbedContentController,
    GeminiEmbedContentController,
)
from service.api.generation.generate_content import GenerateContentController
from service.api.generation.grounding import GroundingController
from service.api.generation.models import ModelsController
from service.api.health import HealthController, Readiness
from service.api.http import errors, method_rules, request_bodies
from service.api.http.direct_calls import DirectCalls, Parts
from service.api.http.json_bodies import MessageRequest, MessageResponse
from service.api.http.request_bodies import RequestBodies
from service.api.http.verbs import VerbRouter
from service.api.identity.tokens import TokensController
from service.api.operations.operations import OperationsController
from service.api.pages import asyncapi, demo, guide_pages, openapi, static_pages
from service.api.pending_requests import PendingRequests
from service.api.privacy.user_data import UserDataController
from service.api.rag.rag_corpora import RagCorporaController
from service.api.rag.rag_files import RagFilesController
from service.api.rag.retrieve_contexts import RetrieveContextsController
from service.api.rag.uploads import UploadsController
from service.api.search.complete_query import CompleteQueryController
from service.api.search.search import SearchController
from service.api.search.user_events import UserEventsController
from service.api.search.widget_configs import WidgetConfigsController
from service.composition import handler_services
from service.composition.handler_services import HandlerServices
from service.middleware.request_limit import RequestsInFlight
from service.middleware.stack import stacked
from service.privacy.audit_recorder import AuditRecorder
from service.project_numbers import ProjectNumbers
from service.security.authorisation import Authorisation, OwnedResource
from service.security.credentials import Credentials
from service.security.hosts import Hosts
from service.security.limits.rate_limiter import RateLimiter
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import Principal
from service.settings import Settings
from sessions.spans import Tracer

_LARGE_BODIES: Final = (
    ConversationsController,
    DocumentsController,
    EmbedContentController,
    GeminiEmbedContentController,
    GenerateContentController,
    GroundingController,
    RagFilesController,
    RetrieveContextsController,
    SessionsController,
)
"""Controllers that take more than the bytes of an ordinary body."""


class ApplicationState(Readiness, Protocol):
    """What handlers are served from; what is open of it may come later, or not at all."""

    settings: Settings
    pending_requests: PendingRequests
    requests_in_flight: RequestsInFlight
    request_bodies: RequestBodies
    hosts: Hosts
    origins: OriginPolicy
    tracer: Tracer
    access_log: AccessLog

    def demo_origins(self) -> Sequence[str]:
        """Return the origins of the demo portal, none where there is no such."""
        ...

    def authenticate(self, given: Credentials) -> Awaitable[Principal]:
        """Name who brought what is *given*, as `Authentication.principal` does."""
        ...

    def observe_request(self, method: str, status: int, seconds: float) -> None:
        """Count a request over HTTP, as `Metrics.responded` does."""
        ...

    @property
    def rate_limiter(self) -> RateLimiter:
        """What bounds how much one caller asks, or raise `Unavailable`."""
        ...

    @property
    def audit(self) -> AuditRecorder | None:
        """What records administrative acts, None while nothing is open."""
        ...

    @property
    def redaction(self) -> MessageRedaction:
        """What masks that nobody is to keep, or raise `Unavailable`."""
        ...

    @property
    def handler_services(self) -> HandlerServices:
        """What handlers call, or raise `Unavailable`."""
        ...


def routed(application: ApplicationState) -> ASGIApp:
    """Return the ASGI application whose handlers are served from *application*."""
    parts = _parts(application)
    app = VerbRouter.from_config(_configuration(application, parts))
    method_rules.bind(app)
    # Where Litestar has its own such: behind the translation of paths, before the router.
    app.asgi_handler = stacked(
        DirectCalls(app.asgi_handler, app, parts),
        hosts=application.hosts,
        origins=application.origins,
        proxies=application.settings.proxies,
        requests=application.requests_in_flight,
        observe=application.observe_request,
        access_log=application.access_log,
        authenticate=application.authenticate,
        recorders=application,
        limits=application,
        tracer=application.tracer,
    )
    return app


def _configuration(application: ApplicationState, parts: Parts) -> AppConfig:
    return AppConfig(
        route_handlers=_handlers(),
        # One for each handler costs nothing; several are got by tasks.
        dependencies={
            name: Provide(get, sync_to_thread=False, use_cache=False) for name, get in parts.items()
        },
        state=State(
            {
                "pending_requests": application.pending_requests,
                "request_bodies": application.request_bodies,
                "redaction": lambda: application.redaction,
                "authorisation": _authorisation(application),
                "origins": application.origins,
                "demo_origins": application.demo_origins,
                "project_numbers": ProjectNumbers(application.settings.project_numbers),
            },
            deep_copy=False,
        ),
        before_request=method_rules.check,
        middleware=[errors.PanicMiddleware],
        request_class=MessageRequest,
        response_class=MessageResponse,
        request_max_body_size=request_bodies.MAX_BODY,
        exception_handlers={Exception: errors.response_to},
        openapi_config=None,
        logging_config=None,
    )


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
        TokensController,
        UploadsController,
        UserDataController,
        UserEventsController,
        WidgetConfigsController,
        Router(
            "/", route_handlers=_LARGE_BODIES, request_max_body_size=request_bodies.MAX_LARGE_BODY
        ),
        *unimplemented_methods.handlers(),
        asyncapi.asyncapi_document,
        openapi.openapi_document,
        static_pages.chat_page,
        static_pages.docs_page,
        static_pages.reader_page,
        demo.demo_page,
        guide_pages.guide_index,
        guide_pages.guide_page,
        guide_pages.guide_sections,
        static_pages.widget_asset,
        static_pages.versioned_chat,
        websocket_endpoint.follow_answers,
    ]


def _authorisation(application: ApplicationState) -> Authorisation:
    # The stores are asked for at each request, since there are none before Redis has answered.
    def user_of(name: str) -> Awaitable[str | None]:
        return application.handler_services.session_store.user(name)

    def read_owned(name: str, user: str) -> Awaitable[OwnedResource | None]:
        return application.handler_services.owned(name, user)

    return Authorisation(user_of, read_owned)


def _parts(application: ApplicationState) -> Parts:
    # Asked at each request, since there is nothing to give before Redis has answered.
    def part(path: str) -> Callable[[], Any]:
        get: Callable[[HandlerServices], Any] = operator.attrgetter(path)
        return lambda: get(application.handler_services)

    return {
        "readiness": lambda: application,
        **{name: part(path) for name, path in handler_services.PATHS.items()},
    }
