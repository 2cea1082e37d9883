"""Tests of choosing the blocks that answer, on small pages as portals have them.

- answerability: generation/test_extractive
- forms: generation/extraction/test_composition
- scoring: generation/extraction/test_composition
- selection: generation/extraction/test_composition
"""
