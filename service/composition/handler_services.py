"""Builds what handlers call, from what is open."""

from __future__ import annotations

# ruff: noqa: D102 - a property is the part that its name and type say
import functools
from collections.abc import Awaitable, Mapping
from typing import Final

from service.access_log import AccessLog
from service.answering.completion.complete_query import CompleteQueryMethod
from service.answering.completion.listed_suggestions import ListedSuggestions
from service.answering.completion.popular_phrases import PopularPhrases
from service.answering.completion.suggestion_methods import SuggestionMethods
from service.answering.completion.user_event_methods import UserEventMethods
from service.answering.completion.widget_config import WidgetConfigMethod
from service.answering.methods.answer_query import AnswerMethods
from service.answering.methods.converse_conversation import ConverseMethod
from service.answering.methods.outcomes import Outcomes
from service.answering.methods.pipeline_requests import PipelineRequests
from service.answering.methods.search import SearchMethods
from service.answering.methods.submission import QuerySubmitter
from service.answering.pipeline import answered_queries
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.retrieval.attached_sources import AttachedAnswers, AttachedLog
from service.answering.retrieval.recorded_results import RecordedResults
from service.api.connection_services import ConnectionServices
from service.api.frame_authorisation import FrameAuthorisation
from service.api.frame_outcomes import FrameOutcome
from service.api.websocket_endpoint import WebSocketConnections
from service.composition.container import Container
from service.composition.corpus_services import CorpusServices
from service.composition.generation_services import GenerationServices
from service.metrics.metrics import Metrics
from service.privacy.append_only_file import AppendOnlyFile
from service.privacy.user_data_export import UserDataExport
from service.privacy.user_data_methods import UserDataMethods
from service.privacy.user_data_purge import UserDataPurge
from service.project_numbers import ProjectNumbers
from service.security.authorisation import Authorisation, OwnedResource
from service.security.origin_policy import OriginPolicy
from service.security.tokens.read_tokens import ReadTokenMinter
from service.security.tokens.token_minter import TokenMinter
from service.security.tokens.visitor_merges import VisitorMerges
from service.security.tokens.visitor_minter import VisitorMinter
from service.thread_pools import ThreadPools
from service.version import VERSION
from sessions.stores.store_set import ConversationStore, SessionStore
from streaming.reading.resumptions import ResumeCounts
from streaming.reading.sources import ReaderSources


class HandlerServices:
    """What handlers may ask for, each by the name of its property; built when first asked for."""

    def __init__(self, container: Container, origins: OriginPolicy, access_log: AccessLog) -> None:
        self._container = container
        self._access_log = access_log
        self._answering = container.answering
        self._origins = origins
        self._settings = container.settings
        self._stores = container.stores
        self._models = (self._settings.llm_model,) if self._settings.llm_model else ()
        """Ids that a request may name besides those that every installation has."""
        self.corpus = CorpusServices(container)
        self.generation = GenerationServices(container, self.corpus.rag_corpora)

    # Sessions, conversations and their answers

    def owned(self, name: str, user: str) -> Awaitable[OwnedResource | None]:
        """Return the session or conversation *name* as `OwnerStore.owned` does."""
        is_talk = name.rpartition("/")[0].endswith("/conversations")
        kept = self.conversation_store if is_talk else self.session_store
        return kept.owned(name, user)

    @property
    def session_store(self) -> SessionStore:
        return self._stores.sessions

    @property
    def conversation_store(self) -> ConversationStore:
        return self._stores.conversations

    @functools.cached_property
    def answer_methods(self) -> AnswerMethods:
        return AnswerMethods(
            self._pipeline_requests,
            self._query_submitter,
            self._stateless_answers,
            self._outcomes,
            self._reader_sources,
            self._answering.log,
            self._stores.sessions,
            self._stores.answers,
            self._answering.attachments,
        )

    @functools.cached_property
    def converse_method(self) -> ConverseMethod:
        return ConverseMethod(
            self._query_submitter, self._outcomes, self._stores.conversations, self._stores.answers
        )

    @functools.cached_property
    def websocket_connections(self) -> WebSocketConnections:
        services = ConnectionServices(
            sources=self._reader_sources,
            submitter=self._query_submitter,
            cancel=self._answering.runner.cancel,
            view=self.converse_method.view,
            version=VERSION,
            authentication=self._container.identity.authentication,
            authorisation=self._frame_authorisation,
            rate_limiter=self._container.rate_limiter,
            project_numbers=ProjectNumbers(self._settings.project_numbers),
            tracer=self._container.tracer,
            observe=self._observe_frame,
        )
        return WebSocketConnections(services)

    def _observe_frame(self, frame: FrameOutcome) -> None:
        self._container.metrics.frame_served(frame.method, frame.status, frame.seconds)
        if self._access_log.wants(frame.status):
            self._access_log.write(
                over="websocket",
                method=frame.method,
                status=frame.status,
                seconds=frame.seconds,
                request_id=frame.id,
            )

    @functools.cached_property
    def _frame_authorisation(self) -> FrameAuthorisation:
        return FrameAuthorisation(
            Authorisation(self._stores.sessions.user, self.owned),
            self._origins,
            self._container.redaction,
        )

    @functools.cached_property
    def _query_submitter(self) -> QuerySubmitter:
        return QuerySubmitter(
            self._answering.runner,
            self._pipeline_requests,
            self._recorded_results,
        )

    @functools.cached_property
    def _pipeline_requests(self) -> PipelineRequests:
        return PipelineRequests(
            self._stores.catalogue,
            self._models,
            has_model=bool(self._settings.llm_base_url),
        )

    @functools.cached_property
    def _stateless_answers(self) -> StatelessAnswers:
        return StatelessAnswers(
            self._answering.pipeline,
            deadline=self._settings.deadline,
            ended=functools.partial(answered_queries.note, self._stores.query_history),
        )

    @functools.cached_property
    def _summaries(self) -> StatelessAnswers:
        """A summary tells what was found: where there is nothing, it says so and chats not."""
        pipeline = self._answering.pipeline.over(self._answering.index)
        return StatelessAnswers(pipeline, deadline=self._settings.deadline)

    @functools.cached_property
    def _outcomes(self) -> Outcomes:
        return Outcomes(self._answering.runner, self._answering.log, self._answering.attachments)

    @functools.cached_property
    def _reader_sources(self) -> ReaderSources:
        return ReaderSources(
            self._answering.tail,
            AttachedLog(self._answering.log, self._answering.attachments),
            AttachedAnswers(self._stores.answers, self._answering.attachments),
            self._answering.runner.adopt,
            self._answering.runner.trace,
        )

    @property
    def resume_counts(self) -> ResumeCounts:
        return self._reader_sources.resumes

    # Who may do what

    @functools.cached_property
    def token_minter(self) -> TokenMinter:
        return TokenMinter(self._container.identity.signing_keys)

    @functools.cached_property
    def read_token_minter(self) -> ReadTokenMinter:
        return ReadTokenMinter(self.token_minter)

    @functools.cached_property
    def visitor_minter(self) -> VisitorMinter:
        container = self._container
        return VisitorMinter(
            self.token_minter,
            container.identity.tokens,
            container.identity.visitors,
            container.portal,
        )

    @functools.cached_property
    def visitor_merges(self) -> VisitorMerges:
        container, stores = self._container, self._stores
        return VisitorMerges(
            container.identity.visitors,
            container.identity.tokens,
            stores.sessions,
            stores.conversations,
        )

    # Search

    @functools.cached_property
    def search_methods(self) -> SearchMethods:
        return SearchMethods(
            self._answering.index,
            self._stores.catalogue,
            self._stores.documents,
            self._stores.sessions,
            self._recorded_results,
            self._summaries,
            self._stores.page_tokens,
            self._stores.query_history,
            self._models,
            has_model=bool(self._settings.llm_base_url),
        )

    @functools.cached_property
    def complete_query_method(self) -> CompleteQueryMethod:
        return CompleteQueryMethod(
            self._listed_suggestions,
            self._popular_phrases,
            self._stores.catalogue,
            self._container.thread_pools.reading,
        )

    @functools.cached_property
    def widget_config_method(self) -> WidgetConfigMethod:
        return WidgetConfigMethod(
            self._listed_suggestions,
            self._popular_phrases,
            self._stores.catalogue,
            self._container.portal,
            self._container.thread_pools.reading,
        )

    @functools.cached_property
    def _listed_suggestions(self) -> ListedSuggestions:
        pool = self._container.thread_pools.reading
        return ListedSuggestions(self._answering.index, self._stores.suggestion_lists, pool)

    @functools.cached_property
    def _popular_phrases(self) -> PopularPhrases:
        users, pool = self._settings.suggestion_users, self._container.thread_pools.reading
        return PopularPhrases(self._stores.query_history, users, pool)

    @functools.cached_property
    def suggestion_methods(self) -> SuggestionMethods:
        return SuggestionMethods(
            self._stores.suggestion_lists, self._popular_phrases, self._stores.catalogue
        )

    @functools.cached_property
    def user_event_methods(self) -> UserEventMethods:
        store = self._stores
        return UserEventMethods(
            store.user_events,
            store.query_history,
            store.catalogue,
            store.documents,
            store.sessions,
            self._container.metrics.answers.given_feedback,
        )

    @functools.cached_property
    def _recorded_results(self) -> RecordedResults:
        return RecordedResults(self._stores.redis, self._stores.keys, self._answering.index)

    # What is kept of users

    @functools.cached_property
    def user_data_methods(self) -> UserDataMethods:
        container, stores = self._container, self._stores
        bundled = not self._settings.redis_url
        files = AppendOnlyFile(stores.redis, self._settings.data_dir / "redis")
        purge = UserDataPurge(stores, self._answering.runner.cancel, files if bundled else None)
        export = UserDataExport(stores)
        return UserDataMethods(
            stores.redis, stores.keys, container.operations, export, purge, container.audit
        )

    def forget(self, subject: bytes) -> None:
        """Forget what this process holds in memory of a user who is purged."""
        self._stores.query_history.drop_noted(subject.decode())
        self._popular_phrases.clear()

    # What is there anyway

    @property
    def thread_pools(self) -> ThreadPools:
        return self._container.thread_pools

    @property
    def metrics(self) -> Metrics:
        return self._container.metrics


def _named(services: type, path: str = "") -> dict[str, str]:
    return {
        name: path + name
        for name, value in vars(services).items()
        if isinstance(value, property | functools.cached_property) and not name.startswith("_")
    }


PATHS: Final[Mapping[str, str]] = {
    **_named(HandlerServices),
    **_named(CorpusServices, "corpus."),
    **_named(GenerationServices, "generation."),
}
"""What a handler may name as its dependency, and where `HandlerServices` has it."""
