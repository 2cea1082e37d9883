"""Tests of the answers that a chat model writes.

- chat_completions: generation/chat_model/test_openai
- endpoint_responses: generation/chat_model/test_openai_failures
- model_text: generation/chat_model/test_openai
"""
