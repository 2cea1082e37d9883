"""Tests of what becomes of a file's bytes.

- document_sources: corpus/documents/test_document_import, corpus/parsing/test_prepared_documents
- open_blocks: corpus/parsing/formats/test_html
- file_types, parsed_documents: corpus/parsing/test_parsing
"""
