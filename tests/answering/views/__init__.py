"""Tests of what other public documents show of an answer.

- web_sources: clients/test_web_grounding
"""
