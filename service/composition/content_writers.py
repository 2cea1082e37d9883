"""Builds what writes contents: from documents, from the web, or from the request alone."""

from __future__ import annotations

from service.answering.direct.direct_generation import DirectGeneration
from service.answering.methods.document_generation import DocumentGeneration
from service.answering.pipeline.pipeline import Pipeline
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.retrieval.contexts import Contexts
from service.answering.web.web_grounding import WebGrounding
from service.composition.container import Container
from service.corpus.catalogue.rag_corpora import RagCorpora


def document_generation(
    container: Container, contexts: Contexts, corpora: RagCorpora
) -> DocumentGeneration:
    """Return what writes from corpora as well as data stores: whatever a retrieval tool names."""
    pipeline = Pipeline(
        container.answering.index,
        container.answering.generator,
        corpora,
        container.thread_pools,
        portal=container.portal,
    )
    deadline = container.settings.deadline
    return DocumentGeneration(contexts, pipeline, container.thread_pools, deadline=deadline)


def direct_generation(container: Container) -> DirectGeneration | None:
    """Return what writes without documents, None where no model is configured."""
    if container.answering.completions is None:
        return None
    policy = PortalPolicy(container.portal)
    return DirectGeneration(container.answering.completions, policy, container.thread_pools)


def web_grounding(
    container: Container, contexts: Contexts, corpora: RagCorpora
) -> WebGrounding | None:
    """Return what reads the web, None where operators allow neither pages nor searches."""
    if container.pages is None and container.web_search is None:
        return None
    pages, search = container.pages, container.web_search
    return WebGrounding(contexts, corpora, container.thread_pools, pages, search)
