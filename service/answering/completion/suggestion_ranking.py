"""Order what may be suggested, and leave out what is denied, twice there, or of one group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.completion import listed_suggestions, suggestion_boosts
from service.answering.completion.listed_suggestions import Denied
from service.answering.completion.suggestion_boosts import SuggestionBoost
from service.answering.completion.suggestion_table import Match, Suggestion, SuggestionTable
from service.language.queries import phrases

SUGGESTIONS: Final = 10
"""Suggestions of one type in a reply, at most."""
_TAIL: Final = 8
"""Words at the end of a query that are completed by themselves, at most."""


class RankedSuggestion(NamedTuple):
    """A suggestion with what it is ordered by: *score* is 1 where the query begins it."""

    score: float
    suggestion: Suggestion


class SuggestionOrigins(NamedTuple):
    """What a query is completed from, and what is not to be suggested."""

    tables: Sequence[SuggestionTable]
    denied: Sequence[Denied]


def completed(
    typed: str, origins: SuggestionOrigins, boosts: Sequence[SuggestionBoost], *, tail: bool
) -> tuple[list[RankedSuggestion], bool]:
    """Return what *typed* may become, and whether only its end was completed.

    That is where nothing goes on from all of it, and *tail* is wanted.
    """
    if found := _ranked(typed, "", origins, boosts):
        return found, False
    words = typed.split(" ")
    first = max(1, len(words) - _TAIL)
    for at in range(first, len(words) if tail else first):
        if found := _ranked(" ".join(words[at:]), " ".join(words[:at]), origins, boosts):
            return found, True
    return [], False


def _ranked(
    typed: str, head: str, origins: SuggestionOrigins, boosts: Sequence[SuggestionBoost]
) -> list[RankedSuggestion]:
    """Return what goes on from *typed* behind the words *head*: the best first, each text once."""
    merged: dict[str, Match] = {}
    found = [each for table in origins.tables for each in table.matches(typed)]
    # Only where nothing goes on from what was typed as it is: who types right means that.
    for match in found or [m for one in origins.tables for m in one.matches(typed, slips=True)]:
        key = phrases.folded(match.suggestion.text).rstrip("?？؟ ")
        merged[key] = _merged(merged[key], match) if key in merged else match
    ordered = sorted(
        (
            RankedSuggestion(score(rank) + suggestion_boosts.of(suggestion, boosts), suggestion)
            for rank, suggestion in merged.values()
        ),
        key=lambda r: (-r.score, -r.suggestion.worth, len(r.suggestion.text), r.suggestion.text),
    )
    shown: list[RankedSuggestion] = []
    groups = {""}
    for ranked_score, suggestion in ordered:
        text = f"{head} {suggestion.text}".lstrip()
        # Denied first: what is not shown keeps no other of its group from being shown.
        if listed_suggestions.is_denied(text, origins.denied) or (
            suggestion.group and suggestion.group in groups
        ):
            continue
        groups.add(suggestion.group)
        whole = msgspec.structs.replace(suggestion, text=text)
        shown.append(RankedSuggestion(ranked_score, whole))
        if len(shown) == SUGGESTIONS:
            break
    return shown


def _merged(one: Match, other: Match) -> Match:
    """Return two matches of one text as one: in the words of the first, worth what both are."""
    stores = dict.fromkeys((*one.suggestion.data_stores, *other.suggestion.data_stores))
    suggestion = msgspec.structs.replace(
        one.suggestion,
        worth=one.suggestion.worth + other.suggestion.worth,
        data_stores=tuple(stores),
    )
    return Match(min(one.rank, other.rank), suggestion)


def score(rank: int) -> float:
    """Return the score of a match of this *rank*, 1 where what was typed begins it."""
    return 1 / (1 + rank)
