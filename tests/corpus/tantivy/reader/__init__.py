"""Tests of `service.corpus.tantivy.reader`.

- index_entries: corpus/tantivy/test_index_writer, corpus/tantivy/reader/test_index_reader
"""
