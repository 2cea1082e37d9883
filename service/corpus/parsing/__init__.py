"""Turns the bytes of a file into text, chunks and title; `prepared_documents` is the entry."""
