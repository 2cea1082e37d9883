"""Count the tokens of contents, or cut contents into them."""

from __future__ import annotations

from service.answering.requests import content_texts
from service.answering.requests.models import Models
from service.answering.views import usage_metadata
from service.generation import token_counts
from service.thread_pools import ThreadPools
from sessions.errors import InvalidArgument
from sessions.resources import generate_content


class TokenMethods:
    """``countTokens`` and ``computeTokens``: nothing is searched for, nor written."""

    def __init__(self, models: Models, pools: ThreadPools) -> None:
        self._models = models
        self._pools = pools

    async def count_tokens(
        self, model: str, request: generate_content.CountTokensRequest
    ) -> generate_content.CountTokensResponse:
        """Count the tokens of what *request* brings.

        Raises:
            NotFound: there is no such model.
            InvalidArgument: it brings nothing, or something other than text and calls.
        """
        self._models.check(model)
        return await self._pools.reading.run(_count, request)

    async def compute_tokens(
        self, model: str, request: generate_content.ComputeTokensRequest
    ) -> generate_content.ComputeTokensResponse:
        """Cut what *request* brings into tokens.

        Raises:
            NotFound, InvalidArgument: see `count_tokens`.
        """
        self._models.check(model)
        return await self._pools.reading.run(_compute, request)


def _count(request: generate_content.CountTokensRequest) -> generate_content.CountTokensResponse:
    texts = _texts(request)
    if request.system_instruction is not None:
        instruction = content_texts.text_of(request.system_instruction, "systemInstruction")
        texts.append(content_texts.check_length(instruction, "systemInstruction"))
    total = sum(token_counts.count(text) for text in texts)
    return generate_content.CountTokensResponse(
        total_tokens=total,
        total_billable_characters=sum(token_counts.billable(text) for text in texts),
        prompt_tokens_details=usage_metadata.text_token_counts(total),
    )


def _compute(
    request: generate_content.ComputeTokensRequest,
) -> generate_content.ComputeTokensResponse:
    infos = list[generate_content.TokensInfo]()
    for content, text in zip(request.contents, _texts(request), strict=True):
        tokens = token_counts.cut(text)
        infos.append(
            generate_content.TokensInfo(
                tokens=tuple(token.encode() for token in tokens),
                token_ids=tuple(str(token_counts.number(token)) for token in tokens),
                role=content.role or "user",
            )
        )
    return generate_content.ComputeTokensResponse(tokens_info=tuple(infos))


def _texts(
    request: generate_content.CountTokensRequest | generate_content.ComputeTokensRequest,
) -> list[str]:
    if request.instances:
        raise InvalidArgument("instances: give contents instead", field="instances")
    if not request.contents:
        raise InvalidArgument("contents: give at least one", field="contents")
    texts = [
        content_texts.text_of(content, f"contents[{at}]", with_calls=True)
        for at, content in enumerate(request.contents)
    ]
    # As long as what may be generated from; more would keep a thread busy for half a minute.
    if sum(map(len, texts)) > content_texts.MAX_LENGTH:
        raise InvalidArgument(
            f"contents: at most {content_texts.MAX_LENGTH} characters", field="contents"
        )
    return texts
