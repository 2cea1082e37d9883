"""Tests of `service.corpus.ranking.queries`."""
