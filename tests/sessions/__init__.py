"""Tests of the lowest floor: what is remembered, and how Redis is reached.

- log_context: service/test_logs
- resource_states: streaming/log/test_answer_machine, sessions/stores/test_conversation_store
- supervision: streaming/running/test_containment
"""
