"""Tests of what reads the index in Redis.

- entry_reads, store_view, term_counts: corpus/redis_search/test_restricted_search
- viewed_store: corpus/test_index
- redis_reader, chunk_scores, counted_chunks: corpus/test_index, corpus/redis_search/test_ranking
"""
