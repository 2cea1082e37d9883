"""Tests of query completion; most of it is shown by the official clients.

- complete_query, popular_phrases, listed_suggestions: clients/test_discoveryengine_completion
- suggestion_boosts, suggestion_ranking: clients/test_discoveryengine_completion
- suggestion_methods: clients/test_discoveryengine_completion
- user_event_methods: clients/test_discoveryengine_user_events, clients/test_feedback
"""
