"""Builds what handlers call to write: from documents, from the web, or from a request alone."""

from __future__ import annotations

# ruff: noqa: D102 - a property is the part that its name and type say
import functools

from service.answering.direct.direct_generation import DirectGeneration
from service.answering.methods.count_tokens import TokenMethods
from service.answering.methods.document_generation import DocumentGeneration
from service.answering.methods.embed_content import EmbeddingMethods
from service.answering.methods.generate_content import GenerateContentMethods
from service.answering.methods.grounded_generation import GroundedGeneration
from service.answering.methods.rag import RagMethods
from service.answering.pipeline.pipeline import Pipeline
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.requests.models import Models
from service.answering.retrieval.contexts import Contexts
from service.answering.web.web_grounding import WebGrounding
from service.composition.container import Container
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.generation.chat_model.passage_ranking import PassageRanker


class GenerationServices:
    """What handlers may ask for of the methods without sessions; built when first asked for."""

    def __init__(self, container: Container, corpora: RagCorpora) -> None:
        self._container = container
        self._answering = container.answering
        self._settings = container.settings
        self._corpora = corpora

    @functools.cached_property
    def models(self) -> Models:
        embedder = self._answering.embedder
        return Models(
            self._settings.llm_model or "extractive",
            self._settings.models,
            embedder.name if embedder else "",
        )

    @functools.cached_property
    def generate_content_methods(self) -> GenerateContentMethods:
        container = self._container
        return GenerateContentMethods(
            self._document_generation,
            self.models,
            PortalPolicy(container.portal),
            container.thread_pools,
            direct=self._direct_generation(),
            web=self._web_grounding(),
        )

    def _direct_generation(self) -> DirectGeneration | None:
        """Return what writes without documents, None where no model is configured."""
        if self._answering.completions is None:
            return None
        policy = PortalPolicy(self._container.portal)
        return DirectGeneration(self._answering.completions, policy, self._container.thread_pools)

    def _web_grounding(self) -> WebGrounding | None:
        """Return what reads the web, None where operators allow neither pages nor searches."""
        pages, search = self._container.pages, self._container.web_search
        if pages is None and search is None:
            return None
        pools = self._container.thread_pools
        return WebGrounding(self._contexts, self._corpora, pools, pages, search)

    @functools.cached_property
    def _document_generation(self) -> DocumentGeneration:
        """Writes from corpora as well as data stores: whatever a retrieval tool names."""
        pools = self._container.thread_pools
        pipeline = Pipeline(
            self._answering.index,
            self._answering.generator,
            self._corpora,
            pools,
            portal=self._container.portal,
        )
        return DocumentGeneration(self._contexts, pipeline, pools, deadline=self._settings.deadline)

    @functools.cached_property
    def token_methods(self) -> TokenMethods:
        return TokenMethods(self.models, self._container.thread_pools)

    @functools.cached_property
    def embedding_methods(self) -> EmbeddingMethods:
        return EmbeddingMethods(self._answering.embedder, self.models, self._container.thread_pools)

    @functools.cached_property
    def grounded_generation(self) -> GroundedGeneration:
        return GroundedGeneration(
            self._answering.index,
            self._container.stores.catalogue,
            self._answering.generator,
            self._container.thread_pools,
            deadline=self._settings.deadline,
        )

    @functools.cached_property
    def rag_methods(self) -> RagMethods:
        has_model = self._answering.completions is not None
        return RagMethods(self._contexts, self._document_generation, has_model=has_model)

    @functools.cached_property
    def _contexts(self) -> Contexts:
        container = self._container
        completions = self._answering.completions
        by_model = PassageRanker(completions).rank if completions else None
        return Contexts(self._answering.index, self._corpora, container.thread_pools, by_model)
