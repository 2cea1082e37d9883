"""How likely the tokens of a candidate were, and which else were likely, as the candidate says."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from service.generation.chat_model.chat_events import TokenAlternative, TokenLogprob
from sessions.resources.candidates import LogprobsResult, TokenCandidate, TopCandidates

_MAX_ID: Final = 2**31 - 1
"""What else an endpoint may call an id does not fit ``tokenId``."""


def result(tokens: Sequence[TokenLogprob], text: str) -> LogprobsResult | None:
    """Return what is known of those *tokens* that make *text*, None where that is nothing.

    The model's tokens may be more: thoughts that are not told, and what follows a stop sequence.
    """
    told = _of_text(tokens, text)
    if not told:
        return None
    tops = tuple(TopCandidates(candidates=_sorted(one.top_logprobs)) for one in told)
    return LogprobsResult(
        chosen_candidates=tuple(map(_candidate, told)),
        top_candidates=tops if any(top.candidates for top in tops) else (),
    )


def average(found: LogprobsResult | None) -> float:
    """Return the mean log probability of the chosen tokens, 0 where none are known."""
    chosen = found.chosen_candidates if found else ()
    return statistics.fmean(one.log_probability or 0.0 for one in chosen) if chosen else 0.0


def _of_text(tokens: Sequence[TokenLogprob], text: str) -> Sequence[TokenLogprob]:
    """Return the tokens that begin within *text*; all, where it is not made of them as they are.

    A character may be cut into several tokens, which then show as others.
    """
    start = "".join(one.token for one in tokens).find(text)
    if start < 0:
        return tokens
    ends = itertools.accumulate(len(one.token) for one in tokens)
    return [
        one
        for one, end in zip(tokens, ends, strict=True)
        if end > start and end - len(one.token) < start + len(text)
    ]


def _sorted(tokens: Iterable[TokenAlternative]) -> tuple[TokenCandidate, ...]:
    likeliest = sorted(tokens, key=attrgetter("logprob"), reverse=True)
    return tuple(map(_candidate, likeliest))


def _candidate(token: TokenLogprob | TokenAlternative) -> TokenCandidate:
    is_id = isinstance(token.id, int) and 0 <= token.id <= _MAX_ID
    return TokenCandidate(
        token=token.token, token_id=token.id if is_id else None, log_probability=token.logprob
    )
