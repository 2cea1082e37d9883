"""Tests of the index in Redis; what every index has to do is in ``corpus/test_index``.

- index: corpus/test_index, corpus/redis_search/test_restricted_search
- entry_writer, store_follower, index_follower: corpus/redis_search/test_shared_index
- entries, entry_keys: corpus/redis_search/test_shared_index
- entry_reads, store_view, term_counts: corpus/redis_search/test_restricted_search
- redis_reader, chunk_scores, counted_chunks: corpus/test_index, corpus/redis_search/test_ranking
- index_formats: whole/test_reindex
- meaning_search: corpus/redis_search/test_ranking
"""
