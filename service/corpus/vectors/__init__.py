"""Keeps the embeddings of chunks, and searches among them; `vector_search` is the entry."""
