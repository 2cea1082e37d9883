"""Tests of what the methods of answering share: the stages of an answer, and who observes them.

- traced_stages: tracing/test_traces
"""
