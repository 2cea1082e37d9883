"""Tests of what becomes of a file's bytes.

- document_sources: corpus/documents/test_document_import, corpus/parsing/test_prepared_documents
- file_types, parsed_documents: corpus/parsing/test_parsing
"""
