"""Keeps documents, and uploads on their way, in Redis; `document_store` is the entry."""
