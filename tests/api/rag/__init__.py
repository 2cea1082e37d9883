"""Tests of corpora and their files over REST are those with a client.

- rag_corpora: clients/test_rag_corpora
- rag_files, upload_messages: clients/test_rag_files
- resumable_uploads: clients/test_rag_files, whole/test_stopping_uploads
- retrieve_contexts: clients/test_rag_retrieval
- uploads: clients/test_rag_files, api/test_unfinished_requests
"""
