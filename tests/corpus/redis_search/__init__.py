"""Test the index on the Query Engine, beside what `tests/corpus/test_index.py` asks of any.

`test_restricted_search` tests `redis_reader` and `store_view`; `test_shared_index` tests
`store_follower`, `index_follower` and `entry_writer`.
"""
