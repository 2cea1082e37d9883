"""Tests of search, query completion and user events over REST.

- complete_query: clients/test_discoveryengine_completion
- user_events: clients/test_discoveryengine_user_events
- search: clients/test_discoveryengine_search
"""
