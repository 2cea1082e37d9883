"""What is known of a data store at one position of its feed, for whoever searches it then."""

from __future__ import annotations

import collections
import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from service.corpus.document_filters import ALL, Filter
from service.corpus.ranking import spelling, store_languages
from service.corpus.redis_search import fact_tags
from service.corpus.redis_search.engine import EngineQuery
from service.corpus.redis_search.entries import EntryTotals, IndexedDocument
from service.corpus.redis_search.entry_keys import CHUNKS
from service.corpus.redis_search.reader.entry_reads import EntryReads
from service.corpus.redis_search.reader.term_counts import TermCounts
from service.language import word_vectors
from service.language.word_vectors import Neighbour

_RESTRICTED: Final = 64
"""Conditions of viewers of which counts are remembered."""
_LANGUAGES: Final = 20
"""Languages that are counted among what a viewer sees, the commonest of the data store."""


class StoreView:
    """A data store, or what of it a viewer may see. Any thread may ask, and waits.

    Nothing that it tells is of a document that *condition* does not match.
    """

    def __init__(
        self,
        reads: EntryReads,
        totals: EntryTotals,
        condition: Filter = ALL,
        whole: StoreView | None = None,
    ) -> None:
        """*totals* are those of the data store, of which *whole* shows all where this does not."""
        self.reads = reads
        self.whole = whole or self
        self.totals = totals
        self.condition = condition
        self.query = "" if condition == ALL else fact_tags.query(condition, totals.restrictions)
        """What the engine is asked besides, "" where everything can be seen."""
        languages, chunks = self._counted()
        self.terms = TermCounts(reads, chunks, self.query)
        told = store_languages.of(languages)
        self.languages = told.common
        self.spoken = told.spoken
        self.within = functools.lru_cache(maxsize=_RESTRICTED)(self._within)
        """Return the view of who sees only what a condition matches."""
        self.correct = functools.lru_cache(maxsize=10_000)(self._correct)
        self.near = functools.lru_cache(maxsize=2_000)(self._near)
        self._words = word_vectors.StoredWords(
            self._having, self.languages[0] if self.languages else "en"
        )

    @functools.cached_property
    def entries(self) -> Mapping[str, IndexedDocument]:
        """All documents, by id, whoever may see them: read once, when somebody lists them."""
        return self.reads.all_entries()

    def query_for(self, condition: Filter) -> str:
        """Return what the engine is asked for what *condition* matches here, "" for everything."""
        parts = [self.query] if self.query else []
        if condition != ALL:
            parts.append(fact_tags.query(condition, self.totals.restrictions))
        return " ".join(parts)

    def _within(self, condition: Filter) -> StoreView:
        return StoreView(self.reads, self.totals, condition, self)

    def _counted(self) -> tuple[collections.Counter[str], int]:
        """Return how many documents are in each language, and how many chunks there are."""
        languages = collections.Counter(dict(self.totals.languages))
        if not self.query:
            return languages, self.totals.chunks
        asked = [language for language, _ in languages.most_common(_LANGUAGES)]
        index = self.reads.keys.index(CHUNKS)
        tags = [fact_tags.any_of([fact_tags.of_language(language)]) for language in asked]
        first = fact_tags.any_of([fact_tags.FIRST])
        queries = [EngineQuery(index, f"{self.query} {first} {each}", 0) for each in tags]
        replies = self.reads.ask([EngineQuery(index, self.query, 0), *queries])
        counts = [reply.total for reply in replies]
        return collections.Counter(dict(zip(asked, counts[1:], strict=True))), counts[0]

    def _correct(self, word: str, language: str, name: bool) -> str:
        return spelling.correct(word, language, self.terms.frequencies, name=name)

    def _near(self, word: str, language: str) -> Sequence[Neighbour]:
        return self._words.nearest(word, language)

    def _having(self, terms: Collection[str]) -> Collection[str]:
        self.terms.prime(terms)
        return {term for term in terms if self.terms.knows((term,))}
