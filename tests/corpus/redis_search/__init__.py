"""Tests of the index in Redis; what every index has to do is in ``corpus/test_index``.

- index: corpus/test_index, corpus/redis_search/test_restricted_search
- entry_writer, store_follower, index_follower: corpus/redis_search/test_shared_index
- entries, entry_keys: corpus/redis_search/test_shared_index
- vector_keys: corpus/redis_search/vectors/test_shared_vectors
- index_formats: whole/test_reindex
"""
