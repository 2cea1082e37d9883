"""A slow model whose answer is a function of the question, so that any text can be checked."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from aiohttp import web

from tests import doubles

DOCUMENTS: Final = (
    (
        "<h1>Loans</h1><h2>How long may I keep a book?</h2><p>A book may be kept for four weeks. "
        "You can renew a loan twice on the account page.</p><h2>What does a late return cost?</h2>"
        "<p>A late return costs 20 cents for each day.</p>"
    ),
    (
        "<h1>Library cards</h1><h2>How do I get a library card?</h2><p>Bring a photo identity card "
        "to the desk. The library card is free for residents.</p>"
    ),
)
"""What is imported, as HTML."""

QUESTION: Final = "How long may I keep a book?"
"""What everybody asks; the number that goes with it makes the difference."""

_SENTENCES: Final = (
    "A book may be kept for four weeks",
    "You can renew a loan twice on the account page",
    "A late return costs 20 cents for each day",
    "Bring a photo identity card to the desk",
)
_WORDS: Final = (
    *("naïve", "Straße", "año", "œuvre", "Łódź", "ﬁn", "книга", "недели", "βιβλίο", "ספר", "كتاب"),
    *("पुस्तक", "หนังสือ", "図書館", "책", "📚", "👩🏽‍💻", "🇪🇺", "e\u0301te\u0301", "𝔅𝔬𝔬𝔨", "𠮷野家"),
)
_NUMBER: Final = re.compile(r"This is question no\. (\d+)\.")
_MARKER: Final = re.compile(r" \[1\]")


def request(number: int, session: str) -> dict[str, Any]:
    """Return the AnswerQueryRequest with that number.

    The number is in the preamble: earlier turns, and what is made of them, cannot bring another.
    """
    return {
        "query": {"text": QUESTION},
        "session": session,
        "answerGenerationSpec": {
            "includeCitations": True,
            "promptSpec": {"preamble": _preamble(number)},
        },
    }


def converse_request(number: int) -> dict[str, Any]:
    """Return the ConverseConversationRequest with that number."""
    return {
        "query": {"input": QUESTION},
        "summarySpec": {"modelPromptSpec": {"preamble": _preamble(number)}},
    }


def _preamble(number: int) -> str:
    return f"This is question no. {number}."


def _number_of(messages: Sequence[Mapping[str, str]]) -> int:
    found = _NUMBER.search(messages[0]["content"])
    if found is None:
        raise AssertionError("the model was asked without a number")
    return int(found[1])


def answer(number: int) -> str:
    """Return the text that the service is to tell: what the model says, less its markers."""
    return _MARKER.sub("", _said(number))


def _said(number: int) -> str:
    """Return what the model says: what the documents say, with words of many scripts."""
    chance = random.Random(number)
    sentences = [
        f"{chance.choice(_SENTENCES)}, {number} {place} {' '.join(chance.sample(_WORDS, 3))} [1]."
        for place in range(chance.randint(3, 10))
    ]
    return " ".join(sentences)


def pieces(number: int) -> list[str]:
    """Cut what the model says as it comes."""
    chance, said = random.Random(-number), _said(number)
    size = max(2, 2 * len(said) // chance.randint(50, 200))
    cut: list[str] = []
    at = 0
    while at < len(said):
        end = at + chance.randint(1, size)
        cut.append(said[at:end])
        at = end
    return cut


class Model(doubles.OpenAIServer):
    """Answers each question with its own text, at 20 to 50 pieces a second.

    *quick* divides the pauses. What it is asked is not kept.
    """

    def __init__(self, *, quick: float = 1.0) -> None:
        super().__init__(self._say)
        self._quick = quick
        self.said = 0
        """How many completions it began."""

    async def _say(self, http: web.Request) -> web.StreamResponse:
        asked = self.asked.pop()
        number = _number_of(asked.body["messages"])
        chance = random.Random(f"{number} {self.said}")
        self.said += 1
        pause = 1 / chance.uniform(20, 50) / self._quick
        reply = doubles.chunks(
            doubles.completion(*pieces(number)), before_each=_paced(chance, pause)
        )
        try:
            return await reply(http)
        except ConnectionError:
            return web.Response()  # the replica that asked was killed


def _paced(chance: random.Random, pause: float) -> Callable[[int], Awaitable[None]]:
    async def wait(_: int) -> None:
        await asyncio.sleep(pause * chance.uniform(0, 2))

    return wait
