"""Tests of `service.corpus.tantivy.reader`."""
