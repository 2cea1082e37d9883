"""Tests of what is refused before anything is searched for.

- field_checks: clients/test_discoveryengine_answer_requests
- user_events: clients/test_discoveryengine_helpers
"""
