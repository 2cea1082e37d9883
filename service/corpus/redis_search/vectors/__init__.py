"""Keeps the vectors of chunks in the Query Engine; `shared_vectors` is the entry."""
