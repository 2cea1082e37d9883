"""Tests of the processes that read documents: what they may take, and whom they harm.

- child, failures, messages: corpus/isolation/test_pool, corpus/isolation/test_document_limits
"""
