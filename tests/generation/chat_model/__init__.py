"""Tests of the answers that a chat model writes.

- chat_events: generation/chat_model/test_chat_stream
- chat_requests: generation/chat_model/test_chat_completions
- endpoint_responses: generation/chat_model/test_openai_failures
- traced_calls: tracing/test_traces
"""
