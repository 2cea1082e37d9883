"""Tests of reading sentences, items and rows.

- runs: generation/extraction/test_composition
"""
