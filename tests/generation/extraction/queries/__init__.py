"""Tests of reading a query for choosing blocks.

- headings: generation/extraction/queries/test_weighted_query
- negations: generation/extraction/queries/test_weighted_query
"""
