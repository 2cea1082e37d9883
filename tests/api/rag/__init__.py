"""Tests of `service.api.rag`.

- rag_corpora: clients/test_rag_corpora
- rag_files: clients/test_rag_files
- retrieve_contexts: clients/test_rag_retrieval
- uploads: clients/test_rag_files, api/test_unfinished_requests
- resumable_uploads, upload_messages: clients/test_rag_files
"""
