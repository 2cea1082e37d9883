"""Tests of what is said of a text: citations, grounding, safety, limits.

- source_texts: answering/proof/test_grounding
"""
