"""Tests of the replies to queries that ask the documents nothing."""
