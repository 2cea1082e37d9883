"""Tests of vectors in the Query Engine; what every index does with them: corpus/vectors.

- store_vectors, vector_writer: corpus/redis_search/vectors/test_shared_vectors
- engine_comparison: corpus/redis_search/vectors/test_shared_vectors,
  corpus/redis_search/test_ranking
"""
