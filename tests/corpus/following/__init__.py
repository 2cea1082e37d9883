"""Tests of what every index does alike.

- catch_up, damaged_documents: corpus/tantivy/test_index_faults,
  corpus/redis_search/test_shared_index
- feed_follower: corpus/test_index, corpus/tantivy/test_index_upkeep
"""
