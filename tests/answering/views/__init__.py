"""Tests of what other public documents show of an answer.

- candidate_sources: answering/views/test_candidates
- web_sources: clients/test_web_grounding
"""
