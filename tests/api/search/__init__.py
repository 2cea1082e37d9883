"""Tests of search, query completion and user events over REST.

- complete_query, user_events: clients/test_discoveryengine_helpers
- search: clients/test_discoveryengine_search
"""
