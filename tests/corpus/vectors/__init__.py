"""Tests of the vectors of chunks: stored in a real Redis, compared where numpy is installed."""
