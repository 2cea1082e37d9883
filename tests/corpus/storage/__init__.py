"""Tests of what is kept in Redis of documents and uploads."""
