"""Tests of answers, sessions and conversations over REST.

- answers: clients/test_discoveryengine_answers, clients/test_discoveryengine_streams
- conversations: clients/test_discoveryengine_conversations
- sessions: clients/test_discoveryengine_sessions
"""
