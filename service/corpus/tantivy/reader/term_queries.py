"""Build queries from terms: no text of a user is ever parsed as a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tantivy
from tantivy import Occur, Query

from service.corpus.ranking import field_weights
from service.corpus.ranking.field_weights import ASKED
from service.corpus.ranking.queries.terms import QueryTerm


class TermQueries:
    """Builds the queries of one index, of which a term has its weight by field in *weights*."""

    def __init__(
        self,
        schema: tantivy.Schema,
        weights: Mapping[str, float],
        fields_with: Callable[[str], frozenset[str]],
    ) -> None:
        """*fields_with* returns the fields that have a term."""
        self._schema = schema
        self._weights = weights
        self._fields_with = fields_with

    def build(
        self, terms: Sequence[QueryTerm], named: Sequence[QueryTerm] = (), question: str = ""
    ) -> Query:
        """Return what matches entries with any of *terms*, and with one of *named* if there are.

        An entry with *question* among its questions, see `question_keys`, goes before others; it
        need have none of the terms.
        """
        wanted = self._any_of(terms)
        if question:
            asked = Query.term_query(self._schema, "questions", question, "basic")
            asked = Query.const_score_query(asked, ASKED)
            wanted = Query.boolean_query([(Occur.Should, wanted), (Occur.Should, asked)])
        if named:
            both = (wanted, self._any_of(named))
            wanted = Query.boolean_query([(Occur.Must, each) for each in both])
        return wanted

    def _any_of(self, terms: Sequence[QueryTerm]) -> Query:
        clauses: list[tuple[Occur, Query]] = []
        for term in terms:
            nearness = term.nearness or (1.0,) * len(term.variants)
            written = [
                each
                for stem, near in zip(term.variants, nearness, strict=True)
                for each in self._in_fields(stem, near * term.weight)
            ]
            if not term.synonyms:
                clauses += written
                continue
            # The best alone counts: what has all the synonyms of a word has it no more than once.
            alternatives = [Query.boolean_query(written)]
            for synonym in term.synonyms:
                share = term.weight * synonym.share / len(synonym.stems)
                stems = [Query.boolean_query(self._in_fields(one, share)) for one in synonym.stems]
                alternatives.append(Query.boolean_query([(Occur.Must, each) for each in stems]))
            clauses.append((Occur.Should, Query.disjunction_max_query(alternatives)))
        return Query.boolean_query(clauses)

    def _in_fields(self, stem: str, weight: float) -> list[tuple[Occur, Query]]:
        there = self._fields_with(stem)  # a field without it costs time in every segment
        return [
            (
                Occur.Should,
                Query.boost_query(
                    Query.term_query(self._schema, field, stem),
                    weight * field_weights.of(stem, share),
                ),
            )
            for field, share in self._weights.items()
            if field in there
        ]
