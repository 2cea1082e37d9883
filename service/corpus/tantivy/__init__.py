"""The embedded index: kept on disk, opened at the start, brought up to date from the feed.

Begin with `store_index`, which is the index of one data store.
"""
