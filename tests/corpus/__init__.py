"""Tests of what documents become, where they are kept, and their index.

- stored_documents: corpus/storage/test_document_store
"""
