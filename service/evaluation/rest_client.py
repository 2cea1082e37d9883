"""Ask a running service over REST, as any back end would, and read what it says."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeVar

import aiohttp
import msgspec

from service.evaluation.labelled_data import LabelledDocument
from sessions.codec import json_codec
from sessions.errors import Internal, ServiceError, Unavailable
from sessions.resources import answers
from sessions.resources.answer_query import AnswerQueryResponse
from sessions.resources.operations import Error, ErrorResponse, Operation

COLLECTION: Final = "projects/colloquy/locations/global/collections/default_collection"
_Read = TypeVar("_Read", bound=msgspec.Struct)
UNREACHABLE: Final = "SERVICE_UNREACHABLE"
"""The reason where nobody answers."""
_FOR_ALL: Final = frozenset(
    {UNREACHABLE, "RESOURCE_NOT_FOUND", "CREDENTIALS_MISSING", "API_KEY_INVALID"}
)
"""Reasons for which every other query would fail as well."""
_PATIENCE: Final = aiohttp.ClientTimeout(total=180)
_FIRST: Final = aiohttp.ClientTimeout(total=3)
_ATTEMPTS: Final = 5
_BATCH: Final = 8_000_000
"""Bytes of documents in one request: in base64, with their fields, a third of what one may have."""
_DOCUMENTS: Final = 500
_LOOK: Final = 0.2
_ERRORS: Final = 400
_PASSING: Final = frozenset({429, 503})
_LONGEST_WAIT: Final = 10.0
_PASSAGE: Final = 400
"""Characters of a passage that are kept to be shown."""
_SPEC: Final = {
    "answerGenerationSpec": {"includeCitations": True},
    "groundingSpec": {"includeGroundingSupports": True},
}
_VISITOR: Final = {
    "answerGenerationSpec": {
        "includeCitations": True,
        "ignoreAdversarialQuery": True,
        "ignoreNonAnswerSeekingQuery": True,
        "ignoreJailBreakingQuery": True,
    },
    "groundingSpec": {"includeGroundingSupports": True},
}
"""What the chat page asks for."""


class FoundSource(msgspec.Struct, frozen=True, kw_only=True):
    """A document that an answer refers to; *cited* where a sentence rests on it."""

    document: str
    title: str = ""
    uri: str = ""
    cited: bool = False
    passage: str = ""

    @property
    def id(self) -> str:
        """The id of the document in its data store."""
        return self.document.rpartition("/")[2]


class QueryReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the service said to a query. *error* is set where it failed to say anything."""

    text: str = ""
    reasons: tuple[str, ...] = ()
    sources: tuple[FoundSource, ...] = ()
    grounding: float | None = None
    seconds: float = 0.0
    session: str = ""
    error: str = ""

    @property
    def refused(self) -> bool:
        """Whether it says that there is no answer."""
        return bool(self.reasons) or not self.text


class RestClient:
    """A service at an address."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http = http
        self._url = url.rstrip("/")

    async def ask(self, parent: str, query: str, session: str = "", *, visitor: bool) -> QueryReply:
        """Return the reply to *query* in *session*, in none where there is none.

        With *visitor* small talk and attacks are stopped, as on the chat page.
        """
        body: dict[str, Any] = {"query": {"text": query}, **(_VISITOR if visitor else _SPEC)}
        if session:
            body["session"] = session
        started = time.perf_counter()
        try:
            said = await self._call(
                "POST", f"{parent}/servingConfigs/default_serving_config:answer", body
            )
        except ServiceError as exc:
            if exc.reason in _FOR_ALL:
                raise
            return QueryReply(error=f"{exc.message} ({exc.reason})", session=session)
        return _reply(_read(AnswerQueryResponse, said), time.perf_counter() - started)

    async def delete(self, name: str) -> None:
        """Delete the data store or session of this *name*.

        Raises:
            ServiceError: it cannot be deleted.
        """
        await self._call("DELETE", name)

    @contextlib.asynccontextmanager
    async def data_store(
        self, name: str, documents: Sequence[LabelledDocument]
    ) -> AsyncGenerator[str]:
        """Make a data store of *documents*, whose ids are d0, d1 …; it is deleted at the end.

        Raises:
            ServiceError: it cannot be made, or a document of it not be read.
        """
        made = f"evaluation-{secrets.token_hex(4)}"
        await self._call(
            "POST",
            f"{COLLECTION}/dataStores?dataStoreId={made}",
            {"displayName": f"Evaluation: {name}"[:128]},
        )
        parent = f"{COLLECTION}/dataStores/{made}"
        try:
            for batch in _batches(documents):
                await self._import(parent, batch)
            yield parent
        finally:
            await self.delete(parent)

    async def _import(self, parent: str, documents: list[dict[str, Any]]) -> None:
        path = f"{parent}/branches/default_branch/documents:import"
        body = {"inlineSource": {"documents": documents}}
        done = _read(Operation, await self._call("POST", path, body))
        while not done.done:
            await asyncio.sleep(_LOOK)
            done = _read(Operation, await self._call("GET", done.name))
        samples = (done.response or {}).get("errorSamples")
        error = done.error.message if done.error else samples and str(samples)
        if error:
            raise Unavailable(f"a document was not imported: {error}", reason="IMPORT_FAILED")

    async def look(self) -> None:
        """Return where something answers; a query would be waited for as long as a model may take.

        Raises:
            Unavailable: nothing does.
        """
        try:
            async with self._http.get(f"{self._url}/livez", timeout=_FIRST):
                pass
        except TimeoutError as exc:
            raise Unavailable(
                f"{self._url} does not answer within {_FIRST.total:g} seconds; see what the log of "
                "the service says",
                reason=UNREACHABLE,
            ) from exc
        except (aiohttp.ClientError, ValueError):
            return  # the first query tells what is wrong

    async def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        """Return what the service replies; again where it asks for a moment.

        Raises:
            ServiceError: it refuses, or nobody is there.
        """
        address = f"{self._url}/v1/{path}"
        for left in reversed(range(_ATTEMPTS)):
            try:
                sent = self._http.request(method, address, json=body, timeout=_PATIENCE)
                async with sent as reply:
                    said, status = await reply.read(), reply.status
                    wait = reply.headers.get("Retry-After", "")
            except aiohttp.ClientConnectorCertificateError as exc:
                raise Unavailable(
                    f"the certificate of {self._url} is not trusted; name a file with the "
                    "certificate of its issuer in SSL_CERT_FILE",
                    reason=UNREACHABLE,
                ) from exc
            except (aiohttp.ClientError, TimeoutError, ValueError) as exc:
                raise Unavailable(
                    f"nothing answers at {self._url}; start it: colloquy serve",
                    reason=UNREACHABLE,
                ) from exc
            if status < _ERRORS:
                return said
            if not left or status not in _PASSING:
                raise _refusal(said, status)
            await asyncio.sleep(min(float(wait) if wait.isdecimal() else 1.0, _LONGEST_WAIT))
        raise AssertionError


def _read(type_: type[_Read], said: bytes) -> _Read:
    try:
        return json_codec.load(type_, said)
    except Internal as exc:
        raise Unavailable("what answers at the address is no Colloquy", reason=UNREACHABLE) from exc


def _refusal(said: bytes, status: int) -> ServiceError:
    """Return the error in the body of a reply, or one that names the *status*."""
    try:
        error = json_codec.load(ErrorResponse, said).error or Error()
    except Internal:  # a proxy may say it in HTML
        error = Error()
    reasons = (one.get("reason") for one in error.details)
    reason = next((str(one) for one in reasons if one), f"HTTP_{status}")
    return Unavailable(error.message or f"the service replied with status {status}", reason=reason)


def _batches(documents: Sequence[LabelledDocument]) -> list[list[dict[str, Any]]]:
    batches: list[list[dict[str, Any]]] = [[]]
    size = 0
    for number, one in enumerate(documents):
        data = one.text.encode()
        if batches[-1] and (size + len(data) > _BATCH or len(batches[-1]) == _DOCUMENTS):
            batches.append([])
            size = 0
        size += len(data)
        fields = {"title": one.title or one.doc_id, "uri": one.uri or one.doc_id}
        content = {"mimeType": one.mime, "rawBytes": base64.b64encode(data).decode()}
        batches[-1].append({"id": f"d{number}", "structData": fields, "content": content})
    return batches


def _reply(response: AnswerQueryResponse, seconds: float) -> QueryReply:
    answer = response.answer or answers.Answer()
    cited = {int(s.reference_id or 0) for one in answer.citations for s in one.sources}
    return QueryReply(
        text=answer.answer_text,
        reasons=tuple(reason.name for reason in answer.answer_skipped_reasons),
        sources=tuple(_source(one, at, cited) for at, one in enumerate(answer.references)),
        grounding=answer.grounding_score,
        seconds=seconds,
        session=response.session.name if response.session else "",
    )


def _source(reference: answers.Reference, at: int, cited: AbstractSet[int]) -> FoundSource:
    if (chunk := reference.chunk_info) is not None:
        about = chunk.document_metadata or answers.DocumentMetadata()
        passage = chunk.content
    else:
        whole = reference.unstructured_document_info
        about = whole or reference.structured_document_info or answers.DocumentMetadata()
        passage = next((part.content for part in whole.chunk_contents), "") if whole else ""
    return FoundSource(
        document=about.document,
        title=about.title,
        uri=about.uri,
        cited=at in cited,
        passage=_beginning(passage),
    )


def _beginning(text: str) -> str:
    return text if len(text) <= _PASSAGE else text[:_PASSAGE].rpartition(" ")[0] + " …"
