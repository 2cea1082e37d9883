"""Tests of what every index does alike.

- catch_up, damaged_documents: corpus/tantivy/test_index_faults,
  corpus/redis_search/test_shared_index
- followed_index, upkeep: corpus/test_index
- meaning_search: corpus/ranking/test_candidates, corpus/redis_search/test_ranking
- feed_follower: corpus/test_index, corpus/tantivy/test_index_upkeep
"""
