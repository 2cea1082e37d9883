"""Let operators say what is suggested and what is not, and visitors forget what they searched."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

import msgspec

from service.answering.completion.popular_phrases import PopularPhrases
from service.answering.requests import field_checks
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.operations.running_operation import Job, TellProgress
from service.corpus.storage.suggestion_lists import SuggestionLists
from service.language.queries import phrases
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources.operations import Status
from sessions.resources.suggestions import (
    CompletionSuggestion,
    ImportCompletionSuggestionsRequest,
    ImportCompletionSuggestionsResponse,
    ImportSuggestionDenyListEntriesRequest,
    ImportSuggestionDenyListEntriesResponse,
    MatchOperator,
    PurgeCompletionSuggestionsResponse,
    PurgeSuggestionDenyListEntriesResponse,
    RemoveSuggestionRequest,
    SuggestionDenyListEntry,
)
from sessions.resources.user_events import EventsMetadata

LONGEST_DENIED: Final = 125
"""Characters of a phrase that is denied, as in the public API."""
MOST_ALTERNATIVES: Final = 20
"""Other phrases by which one suggestion is found."""
_SAMPLES: Final = 100

T = TypeVar("T", bound=msgspec.Struct)


class SuggestionMethods:
    """The methods of completion besides completing."""

    def __init__(self, lists: SuggestionLists, asked: PopularPhrases, catalogue: Catalogue) -> None:
        self._lists = lists
        self._asked = asked
        self._catalogue = catalogue

    async def import_suggestions_job(
        self, parent: str, request: ImportCompletionSuggestionsRequest
    ) -> Job:
        """Return what adds suggestions to those of the data store *parent*.

        Raises:
            NotFound: there is no such data store.
            Unimplemented: they are not in the request itself.
            InvalidArgument: there are none.
        """
        _check_sources(request.gcs_source, request.bigquery_source)
        given = request.inline_source.suggestions if request.inline_source else ()
        _check_given(given, "suggestions")
        await self._catalogue.data_stores(parent)

        async def work(tell_progress: TellProgress) -> ImportCompletionSuggestionsResponse:
            good, refused = _sorted_out(given, _check_suggestion, "suggestions")
            await self._lists.suggest(parent, good)
            now = dt.datetime.now(dt.UTC)
            tell_progress(
                EventsMetadata(
                    create_time=now,
                    update_time=now,
                    success_count=str(len(good)),
                    failure_count=str(len(refused)),
                )
            )
            return ImportCompletionSuggestionsResponse(
                error_samples=tuple(refused[:_SAMPLES]), error_config=request.error_config
            )

        return work

    async def purge_suggestions_job(self, parent: str) -> Job:
        """Return what deletes the suggestions of the data store *parent*; raises `NotFound`."""
        await self._catalogue.data_stores(parent)

        async def work(_: TellProgress) -> PurgeCompletionSuggestionsResponse:
            await self._lists.purge_suggestions(parent)
            return PurgeCompletionSuggestionsResponse(purge_succeeded=True)

        return work

    async def import_denied_job(
        self, parent: str, request: ImportSuggestionDenyListEntriesRequest
    ) -> Job:
        """Return what adds phrases to those denied; fails as `import_suggestions_job`."""
        _check_sources(request.gcs_source, None)
        given = request.inline_source.entries if request.inline_source else ()
        _check_given(given, "entries")
        await self._catalogue.data_stores(parent)

        async def work(_: TellProgress) -> ImportSuggestionDenyListEntriesResponse:
            good, refused = _sorted_out(given, _check_denied, "entries")
            await self._lists.deny(parent, good)
            return ImportSuggestionDenyListEntriesResponse(
                error_samples=tuple(refused[:_SAMPLES]),
                imported_entries_count=str(len(good)),
                failed_entries_count=str(len(refused)),
            )

        return work

    async def purge_denied_job(self, parent: str) -> Job:
        """Return what denies nothing any more; raises `NotFound`."""
        await self._catalogue.data_stores(parent)

        async def work(_: TellProgress) -> PurgeSuggestionDenyListEntriesResponse:
            count = await self._lists.purge_denied(parent)
            return PurgeSuggestionDenyListEntriesResponse(purge_count=str(count))

        return work

    async def remove(self, engine: str, request: RemoveSuggestionRequest) -> None:
        """Forget one search of a visitor, or all, up to ``removeTime``.

        Raises:
            NotFound: there is no such engine.
            InvalidArgument: it is not said what to forget, or of whom.
        """
        field_checks.check_user(request.user_pseudo_id, field="userPseudoId")
        phrase = request.search_history_suggestion
        if not phrase and not request.remove_all_search_history_suggestions:
            field = "searchHistorySuggestion"
            raise InvalidArgument(
                f"{field}: say which, or set removeAllSearchHistorySuggestions", field=field
            )
        data_stores = await self._catalogue.data_stores(engine)
        at = request.remove_time or dt.datetime.now(dt.UTC)
        wanted = phrases.of_query(phrase) if phrase else None
        # By the clock of Redis an entry may be a little younger than by ours.
        until = at.timestamp() * 1000 + (0 if request.remove_time else 60_000)
        await self._asked.forget(data_stores, request.user_pseudo_id, wanted, until)


def _check_sources(gcs: object, bigquery: object) -> None:
    for field, source in (("gcsSource", gcs), ("bigquerySource", bigquery)):
        if source is not None:
            raise Unimplemented(
                f"{field}: this service does not read it; send the entries in inlineSource",
                reason="SOURCE_NOT_SUPPORTED",
                field=field,
            )


def _check_given(given: Sequence[object], what: str) -> None:
    if not given:
        field = f"inlineSource.{what}"
        raise InvalidArgument(f"{field}: give at least one", field=field)


def _sorted_out(
    given: Iterable[T], check: Callable[[T, str], None], what: str
) -> tuple[list[T], list[Status]]:
    """Return which of *given* are good, and why the others are not."""
    good: list[T] = []
    refused: list[Status] = []
    for at, each in enumerate(given):
        try:
            check(each, f"inlineSource.{what}[{at}]")
            good.append(each)
        except InvalidArgument as exc:
            refused.append(Status(code=exc.code, message=exc.message))
    return good, refused


def _check_suggestion(given: CompletionSuggestion, field: str) -> None:
    _check_text(given.suggestion, f"{field}.suggestion", phrases.LONGEST)
    where = f"{field}.alternativePhrases"
    field_checks.check_at_most(len(given.alternative_phrases), MOST_ALTERNATIVES, where, "phrases")
    for at, phrase in enumerate(given.alternative_phrases):
        _check_text(phrase, f"{where}[{at}]", phrases.LONGEST)
    field_checks.check_at_most(
        len(given.group_id), phrases.LONGEST, f"{field}.groupId", "characters"
    )
    where = f"{field}.languageCode"
    field_checks.check_at_most(len(given.language_code), 35, where, "characters")
    field_checks.check_not_negative(int(given.frequency or 0), f"{field}.frequency")


def _check_denied(given: SuggestionDenyListEntry, field: str) -> None:
    _check_text(given.block_phrase, f"{field}.blockPhrase", LONGEST_DENIED)
    if given.match_operator is MatchOperator.MATCH_OPERATOR_UNSPECIFIED:
        where = f"{field}.matchOperator"
        raise InvalidArgument(f"{where}: give EXACT_MATCH or CONTAINS", field=where)


def _check_text(text: str, field: str, longest: int) -> None:
    if not phrases.folded(text):
        raise InvalidArgument(f"{field}: give a text", field=field)
    field_checks.check_at_most(len(text), longest, field, "characters")
    if any(not character.isprintable() for character in text):
        raise InvalidArgument(f"{field}: has characters that cannot be seen", field=field)
