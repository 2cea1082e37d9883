"""Hold the claims of a text against its sources: what is a claim, and how far each is supported.

A claim is a sentence; `source_texts` scores it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from service.answering.proof.source_texts import SourceTexts
from service.generation.chat_model.text_filters import no_answer
from service.language import detection, sentences, tags, words
from sessions.resources import answers

SUPPORTED: Final = 0.5
"""From this score on a text counts as supporting a claim (`guide/grounding.md`)."""

_NO_CLAIM: Final = re.compile(
    r"(?:hi|hello|hey|welcome|good (?:morning|afternoon|evening|day)|thanks?|thank you|sure"
    r"|certainly|of course|okay|ok|great|yes|no|you're welcome|absolutely|glad to help)"
    r"(?:,? (?:there|everyone|again|you|so much|very much|question|back|thing))*[.!,:]*"
    r"|(?:in (?:summary|short|conclusion)|overall|to sum(?: it)? up|additionally|furthermore)[,:]*"
    r"|(?:i|we) (?:am|'m|are|'re|do|don't|cannot|can't|couldn't)\b.*\b(?:sorry|find|sure)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_POLITE: Final = re.compile(
    r"\b(?:hope (?:this|that|it) helps|let me know|feel free to|happy to help)\b"
    r"|\b(?:as follows|these steps)\.$",
    re.IGNORECASE,
)


def supports(
    text: str,
    texts: Sequence[str],
    references: Sequence[int],
    citations: Sequence[answers.Citation] = (),
) -> tuple[tuple[answers.GroundingSupport, ...], float | None]:
    """Return how far each claim of *text* is supported, and the whole; None without a claim.

    *texts* are the sources that the text was written from and *references* the place of the
    reference of each. A claim that *citations* cite is held against what it cites; any other
    against everything. One in another language than all of that has no score, unless it is found
    there all the same (a name, a command): words cannot tell whether it is supported.
    """
    evidence = SourceTexts(texts)
    language = detection.detect(text, "")
    cited = [
        (int(one.start_index), int(one.end_index), {int(s.reference_id) for s in one.sources})
        for one in citations
    ]
    found, scores = list[answers.GroundingSupport](), list[float]()
    first = 0
    for start, end, claim in claims(text):
        if not needs_support(claim):
            found.append(_support(start, end))
            continue
        while first < len(cited) and cited[first][1] <= start:
            first += 1
        last = first
        while last < len(cited) and cited[last][0] < end:
            last += 1
        named = set[int]().union(*(ids for _, _, ids in cited[first:last]))
        only = tuple(n for n, reference in enumerate(references) if reference in named)
        by_text = evidence.scores(claim, only or None)
        score = max(by_text, default=0.0)
        if (
            score < SUPPORTED
            and texts
            and all(is_foreign(language, texts[n]) for n in only or range(len(texts)))
        ):
            found.append(_support(start, end, check_required=True))
            continue
        good = [n for n, one in enumerate(by_text) if one >= min(SUPPORTED, score) and one > 0]
        by_reference = dict.fromkeys(references[n] for n in sorted(good, key=lambda n: -by_text[n]))
        found.append(_support(start, end, score, by_reference))
        scores.append(score)
    return tuple(found), sum(scores) / len(scores) if scores else None


@functools.lru_cache(maxsize=512)  # the texts of hits, which come again
def is_foreign(language: str, text: str) -> bool:
    """Tell whether *text* is in another language than *language*, as far as both are known."""
    other = detection.detect(text, "") if language else ""
    return bool(other) and tags.base(other) != tags.base(language)


def claims(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the claims of *text*: its sentences, with their bytes.

    Sentences that no white space separates are one claim (`guide/grounding.md`).
    """
    merged = list[tuple[int, int]]()
    for start, end in sentences.spans(text):
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    told, at = 0, 0
    for start, end in merged:
        told += len(text[at:start].encode())
        size = len(text[start:end].encode())
        yield told, told + size, text[start:end]
        told, at = told + size, end


def needs_support(claim: str) -> bool:
    """Tell whether *claim* states something: greetings, questions and transitions do not."""
    bare = claim.strip()
    # That the sources do not say something cannot stand in them.
    if (
        bare.endswith(("?", "？", ":", "："))
        or _NO_CLAIM.fullmatch(bare)
        or _POLITE.search(bare)
        or no_answer.is_apology(bare)
    ):
        return False
    return any(word.isalnum() for word in words.words(bare)) and not bare.startswith("#")


def _support(
    start: int,
    end: int,
    score: float | None = None,
    by: Iterable[int] = (),
    *,
    check_required: bool = False,
) -> answers.GroundingSupport:
    return answers.GroundingSupport(
        start_index=str(start),
        end_index=str(end),
        sources=tuple(answers.CitationSource(reference_id=str(one)) for one in by),
        grounding_score=None if score is None else round(score, 4),
        grounding_check_required=check_required or score is not None,
    )
