"""The official RAG and generation clients, pointed at a service."""

from __future__ import annotations

import functools
import json
import secrets
import urllib.request
from typing import Any

from tests.clients import discovery, field_coverage
from tests.clients.discovery import Reply
from tests.packages import Package
from tests.waiting import LONG

REGION = "us-central1"
FEES = """# Fees

A passport renewal costs 80 €. Children under twelve pay half of it. The fee is paid by card.

## Express

The express service costs 35 € more. It takes three working days instead of ten.
"""
HOURS = (
    "The office in Lisbon is open from Monday to Friday. On Saturdays it is closed. "
    "In August the office opens at 10:00."
)


class Rag:
    """The clients of one version, in a location of one project; `types` is its package."""

    def __init__(self, version: str, url: str, project: str = "", access: Any = None) -> None:
        """*access* is how the clients show who they are; None shows nothing."""
        self.version = version
        self.url = url
        self.access = access or discovery.anonymous(url)
        self.project = project or f"p{secrets.token_hex(5)}"
        self.location = f"projects/{self.project}/locations/{REGION}"
        self.types = Package(f"google.cloud.aiplatform_{version}")

    @functools.cache  # noqa: B019 - a Rag lives as long as its test
    def client(self, name: str) -> Any:
        """Return the client of a service: ``VertexRagService``."""
        client = getattr(self.types, f"{name}Client")
        return client(transport=field_coverage.transport(client), **self.access)

    @property
    def data(self) -> Any:
        """The client of corpora and files."""
        return self.client("VertexRagDataService")

    @property
    def rag(self) -> Any:
        """The client of retrieval."""
        return self.client("VertexRagService")

    def call(self, path: str, method: str = "GET", body: Any = None) -> Reply:
        """Send a request to *path* in this version, without any client."""
        return discovery.call(f"{self.url}/{self.version}/{path}", method, body)

    def corpus(self, **files: str) -> str:
        """Create a corpus with text files, by their names without ending, and return its name."""
        made = self.data.create_rag_corpus(
            parent=self.location, rag_corpus=self.types.RagCorpus(display_name="Portal")
        ).result(timeout=LONG)
        for name, text in files.items():
            self.upload(made.name, f"{name}.md", text.encode())
        return made.name

    def upload(self, corpus: str, name: str, data: bytes, metadata: str = "") -> Any:
        """Upload a file in one request, and return what it is told to be."""
        said = metadata or json.dumps({"rag_file": {"display_name": name}})
        parts = (
            f'Content-Disposition: form-data; name="metadata"\r\n\r\n{said}'.encode(),
            f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
            + data,
        )
        body = b"".join(b"--frontier\r\n" + part + b"\r\n" for part in parts) + b"--frontier--\r\n"
        reply = post(
            f"{self.url}/upload/{self.version}/{corpus}/ragFiles:upload",
            body,
            {"Content-Type": "multipart/form-data; boundary=frontier"} | self._shown(),
        )
        return json.loads(reply.read())

    def _shown(self) -> dict[str, str]:
        """Return the headers by which the clients show an API key, where they do."""
        key = self.access["client_options"].api_key
        return {"x-goog-api-key": key} if key else {}

    def store(self, corpus: str, **config: Any) -> Any:
        """Return the corpus as the source of a tool."""
        return self.types.VertexRagStore(
            rag_resources=[self.types.VertexRagStore.RagResource(rag_corpus=corpus)],
            rag_retrieval_config=self.types.RagRetrievalConfig(**config),
        )

    def tool(self, corpus: str, **config: Any) -> Any:
        """Return the tool that retrieves from a corpus."""
        retrieval = self.types.Retrieval(vertex_rag_store=self.store(corpus, **config))
        return self.types.Tool(retrieval=retrieval)

    def retrieve(self, corpus: str, text: str, **config: Any) -> list[Any]:
        """Return the contexts of a query."""
        request = self.types.RetrieveContextsRequest(
            parent=self.location,
            vertex_rag_store=self.types.RetrieveContextsRequest.VertexRagStore(
                rag_resources=[{"rag_corpus": corpus}]
            ),
            query=self.types.RagQuery(
                text=text, rag_retrieval_config=self.types.RagRetrievalConfig(**config)
            ),
        )
        return list(self.rag.retrieve_contexts(request).contexts.contexts)

    def content(self, text: str, role: str = "user") -> Any:
        """Return a content that is one text."""
        return self.types.Content(role=role, parts=[self.types.Part(text=text)])


def post(url: str, body: bytes, headers: dict[str, str]) -> Any:
    """Send bytes and return the response, which has `headers`; statuses from 400 on raise."""
    return urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20)
