"""Tests of documents and their imports; single documents are tested with a client.

- bulk_changes, bulk_requests: clients/test_discoveryengine_operations,
  clients/test_discoveryengine_documents
- documents: clients/test_discoveryengine_documents, corpus/isolation/test_document_limits
- rag_file_configs, rag_files: clients/test_rag_files
- readable_documents: clients/test_read_tokens
- sample_import: whole/test_main_job, whole/test_full_redis
"""
