"""Keeps sessions, conversations, answers and small records in Redis; `store_set` is the entry."""
