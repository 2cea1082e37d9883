"""Tests of reading and writing resources as ProtoJSON.

- json_codec: sessions/codec/test_json_documents, sessions/codec/test_json_round_trips,
  sessions/codec/test_json_nesting, sessions/codec/test_json_stored,
  sessions/codec/test_query_parameters
- scalar_readers, tolerant_readers: sessions/codec/test_json_input
"""
