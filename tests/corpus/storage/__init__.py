"""Tests of what is kept in Redis of documents, uploads, events and queries.

- suggestion_lists: clients/test_discoveryengine_completion
- user_event_store: clients/test_discoveryengine_user_events
"""
