"""What the reply to an operator's question is worth."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec

from service.evaluation.question_lists import Question
from service.evaluation.rest_client import FoundSource, QueryReply

_MARKS: Final = str.maketrans("“”„‘’‚‑–—", "\"\"\"'''---", "*`")


class Verdict(enum.Enum):
    """What a reply is worth, the best first."""

    RIGHT = "right"
    RIGHTLY_REFUSED = "rightly refused"
    WRONG = "wrong"
    WRONGLY_REFUSED = "wrongly refused"
    WRONGLY_ANSWERED = "wrongly answered"
    FAILED = "failed"
    UNJUDGED = "not judged"

    @property
    def good(self) -> bool:
        """Whether it is as the list expects."""
        return self in (Verdict.RIGHT, Verdict.RIGHTLY_REFUSED)


class Judged(msgspec.Struct, frozen=True):
    """A question, what the service replied, and what that is worth and why."""

    question: Question
    reply: QueryReply
    verdict: Verdict
    reasons: tuple[str, ...] = ()


def judge(question: Question, reply: QueryReply) -> Judged:
    """Return what *reply* to *question* is worth."""
    if reply.error:
        return Judged(question, reply, Verdict.FAILED, (reply.error,))
    if question.refuse:
        refused = (Verdict.WRONGLY_ANSWERED, Verdict.RIGHTLY_REFUSED)[reply.refused]
        return Judged(question, reply, refused, reply.reasons)
    if not question.documents and not question.texts:
        return Judged(question, reply, Verdict.UNJUDGED, reply.reasons)
    if reply.refused:
        return Judged(question, reply, Verdict.WRONGLY_REFUSED, reply.reasons)
    faults = tuple(_faults(question, reply))
    return Judged(question, reply, Verdict.WRONG if faults else Verdict.RIGHT, faults)


def _faults(question: Question, reply: QueryReply) -> Iterator[str]:
    said = _plain(reply.text)
    for text in question.texts:
        if _plain(text) not in said:
            yield f"does not say “{text}”"
    cited = [source for source in reply.sources if source.cited]
    named = question.documents
    if named and not any(_is_named(source, name) for source in cited for name in named):
        told = ", ".join(source.title or source.id for source in cited) or "nothing"
        yield f"cites {told} instead of {' or '.join(named)}"


def _is_named(source: FoundSource, name: str) -> bool:
    """Tell whether *name* is title, id or link of the document, or the end of its link."""
    wanted = _plain(name).rstrip("/")
    link = _plain(source.uri).rstrip("/")
    end = link.endswith(f"/{wanted.lstrip('/')}")
    return end or wanted in (link, _plain(source.title), source.id.casefold())


def _plain(text: str) -> str:
    """Return *text* as it is compared: whatever its case, spaces, quotes, dashes and emphasis."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MARKS).casefold().split())
