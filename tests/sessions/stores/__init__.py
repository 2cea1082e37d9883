"""Tests of what is kept in Redis: sessions, conversations, their answers, small records.

- owner_kinds, store_set: sessions/stores/test_session_store,
  sessions/stores/test_conversation_store
- owner_reader: sessions/stores/test_damaged_owners, sessions/stores/test_contention
- owner_store: sessions/stores/test_session_store, sessions/stores/test_crashes,
  sessions/stores/test_contention
- trash: sessions/stores/test_retention, sessions/stores/test_crashes
"""
