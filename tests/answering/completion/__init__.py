"""Tests of query completion.

- complete_query: clients/test_discoveryengine_helpers
"""
