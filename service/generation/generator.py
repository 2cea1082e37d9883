"""What a generator is given and what it yields."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Protocol

import msgspec

from service.blocks import Block
from service.query_readings import QueryReading


class PastTurn(msgspec.Struct, frozen=True):
    """An earlier turn of the session, oldest first in a list.

    *documents* are those by name that the answer came from, the one that says most first.
    """

    query: str
    answer: str
    documents: tuple[str, ...] = ()


Rewriter = Callable[[str, Sequence[PastTurn]], Awaitable[str]]
"""Returns a query so that it stands alone after earlier turns, "" where it cannot tell in time."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk to write from; its place in `Prompt.sources` is its number, from 0.

    *document* is the name of its document, *place* where it stands among the chunks of that, from
    0. *blocks* lie in *text*, in characters.
    """

    title: str
    text: str
    uri: str = ""
    headings: tuple[str, ...] = ()
    relevance: float = 0.0
    document: str = ""
    place: int = 0
    blocks: tuple[Block, ...] = ()


Ranker = Callable[[str, Sequence[Source]], Awaitable[Sequence[float]]]
"""Returns how well each source answers a query, 0 to 1; raises `ServiceError` where it cannot."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """How a request wants a model to choose and bound its words; None is left to the installation.

    *max_tokens* are the model's own, its thoughts and markers included.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    thinking_budget: int | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a generator may use for one answer.

    *query* stands alone (it is rephrased already), *history* gives the tone. *asked* is the query
    without the words that came from earlier turns, "" where there are none, and *reading* is how
    the documents read it. *written* is text of
    this same answer that was told before a take-over: a generator that `continues` goes on right
    after it, others are only ever given "". A generator that chooses no words has no use for
    *sampling*; one that thinks tells its thoughts where the prompt *shows_thoughts*.
    """

    query: str
    sources: tuple[Source, ...]
    asked: str = ""
    history: tuple[PastTurn, ...] = ()
    preamble: str = ""
    language: str = ""
    about_the_user: tuple[str, ...] = ()
    written: str = ""
    reading: QueryReading | None = None
    sampling: Sampling | None = None
    shows_thoughts: bool = False


class Usage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Tokens of one text, as the endpoint of a model counted them.

    *prompt* includes those *cached*, *completion* those of *reasoning*; the images and sounds of a
    prompt are *prompt_image* and *prompt_audio*. None where nothing was said of them.
    """

    prompt: int
    completion: int
    cached: int | None = None
    reasoning: int | None = None
    prompt_image: int | None = None
    prompt_audio: int | None = None


class Piece(msgspec.Struct, frozen=True):
    """The next text, and the sources (indexes into `Prompt.sources`) of the sentence it ends.

    A *thought*, told before the text that it led to, and the *usage*, told last where it is known,
    come with no text.
    """

    text: str
    sources: tuple[int, ...] = ()
    thought: str = ""
    usage: Usage | None = None


class Generator(Protocol):
    """Writes the text of an answer from sources.

    *continues* tells that ``generate`` honours `Prompt.written`. *marks_inline* tells that pieces
    carry citation markers such as ``[1]`` or ``[1, 2]``, 1-based, in their text, to be stripped
    and turned into citations; otherwise `Piece.sources` says what supports a sentence. *judges*
    tells that it reads the sources and writes nothing where they hold no answer, whatever the
    query has in common with them: then low relevance alone is no reason to refuse.
    """

    continues: bool
    marks_inline: bool
    judges: bool

    def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """Yield the text piece by piece; nothing at all where the sources hold no answer.

        Closing the iterator stops the work at once (and the request upstream).

        Raises:
            ServiceError: the text could not be written; what was yielded stands.
        """
        ...
