"""Tests of the embedded index; what every index has to do is in ``corpus/test_index``.

- index: corpus/test_index, corpus/tantivy/test_index_on_disk,
  corpus/tantivy/test_index_faults
- table_vectors: corpus/vectors/test_vector_search
- data_store_index, document_changes, writer_threads: corpus/tantivy/test_index_faults
- durable_files, snapshot_manifest: corpus/tantivy/test_index_on_disk, corpus/tantivy/test_snapshots
"""
