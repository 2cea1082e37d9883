"""Tests of what a model writes from the contents of a request alone.

- direct_prompt, direct_text: answering/direct/test_direct_generation
"""
