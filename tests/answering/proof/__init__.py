"""Tests of what is said of a text: citations, grounding, safety, limits.

- claim_scores: answering/proof/test_source_texts
- claim_support: answering/proof/test_source_texts
- claims: answering/proof/test_source_texts
"""
