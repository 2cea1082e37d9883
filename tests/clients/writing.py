"""A service that lets a scripted model write, and the official generation client of it."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.clients import asking, field_coverage
from tests.clients.aiplatform import REGION
from tests.doubles import OpenAIServer, Reply, stream
from tests.packages import Package

genai = Package("google.genai")
types = Package("google.genai.types")
credentials = Package("google.oauth2.credentials")

MODEL: Final = "gemini-2.0-flash"


class Writing(NamedTuple):
    """A service with a model, and the generation client."""

    url: str
    model: OpenAIServer
    client: Any

    def ask(self, contents: Any = "Say something.", /, *replies: Reply, **config: Any) -> Any:
        """Return the response to *contents*, for which the model gives *replies*."""
        self.model.script(*(replies or [stream("Hello.")]))
        self.model.asked.clear()
        return self.client.models.generate_content(
            model=MODEL, contents=contents, config=types.GenerateContentConfig(**config)
        )

    def stream(self, contents: Any, *replies: Reply, **config: Any) -> list[Any]:
        """Return the chunks of the response."""
        self.model.script(*replies)
        return list(
            self.client.models.generate_content_stream(
                model=MODEL, contents=contents, config=types.GenerateContentConfig(**config)
            )
        )

    @property
    def told(self) -> Any:
        """What the model was asked last."""
        return self.model.asked[-1].body


@contextlib.contextmanager
def served(redis_url: str, folder: Path) -> Generator[Writing]:
    """Serve with a scripted model."""
    with (
        asking.served(redis_url, folder) as (url, model, _),
        field_coverage.http_client() as http,
    ):
        client = genai.Client(
            vertexai=True,
            project="direct",
            location=REGION,
            credentials=credentials.Credentials(token="x"),
            http_options=types.HttpOptions(base_url=url, httpx_client=http),
        )
        yield Writing(url, model, client)
