"""Tests of the vectors of chunks: stored in a real Redis.

- comparison: corpus/vectors/test_vector_table
- document_embedding, embedding_rounds, query_meanings, vector_length:
  corpus/vectors/test_vector_search
"""
