"""Tests of the lowest floor: what is remembered, and how Redis is reached.

- lifecycle: streaming/log/test_machine, sessions/stores/test_conversation_store
- supervision: streaming/running/test_containment
"""
