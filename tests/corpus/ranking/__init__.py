"""Tests of `service.corpus.ranking`; what every index has to do is in ``corpus/test_index``.

- index_entries: corpus/tantivy/test_index_writer, corpus/tantivy/reader/test_index_reader
- document_terms: corpus/tantivy/test_index_writer
- field_weights: corpus/tantivy/reader/test_term_queries
- store_reader: corpus/ranking/test_scoped_search, corpus/ranking/test_candidates
"""
