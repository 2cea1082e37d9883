"""Tests of `service.corpus.tantivy.queries`."""
