"""Tests of what a model writes from the contents of a request alone.

- direct_prompt: answering/direct/test_direct_generation
"""
