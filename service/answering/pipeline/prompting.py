"""Make the prompt of a generator from a request and what was retrieved for it."""

from __future__ import annotations

from collections.abc import Sequence

from service.answering.pipeline.retrieving import Retrieved
from service.answering.requests import generation_configs
from service.answering.requests.queries import PipelineRequest
from service.generation.generator import PastTurn, Prompt
from service.query_readings import QueryReading
from sessions.resources import answer_query


def prompt(
    pipeline_request: PipelineRequest,
    query: str,
    asked: str,
    history: Sequence[PastTurn],
    retrieved: Retrieved,
    written: str,
    reading: QueryReading,
) -> Prompt:
    """Return what a generator is given for a request: *query* is what was *asked*, but alone."""
    request, config = pipeline_request.request, pipeline_request.generation_config
    spec = request.answer_generation_spec or answer_query.AnswerGenerationSpec()
    about = request.end_user_spec.end_user_metadata if request.end_user_spec else ()
    return Prompt(
        query=query,
        asked="" if asked == query else asked,
        sources=retrieved.sources(),
        history=tuple(history),
        preamble=spec.prompt_spec.preamble if spec.prompt_spec else "",
        language=spec.answer_language_code,
        about_the_user=tuple(_about_user(one.chunk_info) for one in about if one.chunk_info),
        written=written,
        reading=reading,
        sampling=generation_configs.sampling(config) if config else None,
        shows_thoughts=bool(config and generation_configs.shows_thoughts(config)),
    )


def _about_user(chunk: answer_query.EndUserChunk) -> str:
    """Return what is known about the user, under its title where it has one."""
    title = chunk.document_metadata.title if chunk.document_metadata else ""
    return f"{title}: {chunk.content}" if title else chunk.content
