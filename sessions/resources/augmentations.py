"""What ``VertexRagService`` makes of retrieved contexts (aiplatform v1beta1)."""

from __future__ import annotations

from sessions.resources import contents, retrieve_contexts, tools
from sessions.resources.base import Int32, Resource


class AskContextsRequest(Resource):
    """Retrieve contexts and answer from them; also the asynchronous retrieval."""

    parent: str = ""
    query: retrieve_contexts.RagQuery | None = None
    tools: tuple[tools.Tool, ...] = ()


class AskContextsResponse(Resource):
    """The answer and its contexts."""

    response: str = ""
    contexts: retrieve_contexts.RagContexts | None = None


class AugmentedModel(Resource):
    """The model that a prompt is for (the documents' ``Model``)."""

    model: str = ""
    model_version: str = ""


class AugmentPromptRequest(Resource):
    """Retrieve facts and put them into a prompt."""

    vertex_rag_store: tools.VertexRagStore | None = None
    parent: str = ""
    contents: tuple[contents.Content, ...] = ()
    model: AugmentedModel | None = None


class Fact(Resource):
    """Something retrieved that supports a text."""

    query: str | None = None
    title: str | None = None
    uri: str | None = None
    summary: str | None = None
    vector_distance: float | None = None
    score: float | None = None
    chunk: retrieve_contexts.RagChunk | None = None


class AugmentPromptResponse(Resource):
    """The prompt with facts, and the facts."""

    augmented_prompt: tuple[contents.Content, ...] = ()
    facts: tuple[Fact, ...] = ()


class CorroborationParameters(Resource):
    """How strictly to check (the documents' ``Parameters``)."""

    citation_threshold: float = 0.0


class CorroborateContentRequest(Resource):
    """Check ``content`` against ``facts``."""

    parent: str = ""
    content: contents.Content | None = None
    facts: tuple[Fact, ...] = ()
    parameters: CorroborationParameters | None = None


class Claim(Resource):
    """A segment of the content and the facts that support it."""

    start_index: Int32 | None = None
    end_index: Int32 | None = None
    fact_indexes: tuple[Int32, ...] = ()
    score: float | None = None


class CorroborateContentResponse(Resource):
    """How far the content is supported, claim by claim."""

    corroboration_score: float | None = None
    claims: tuple[Claim, ...] = ()


class AsyncRetrieveContextsResponse(Resource):
    """What was retrieved."""

    contexts: retrieve_contexts.RagContexts | None = None
