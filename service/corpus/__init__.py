"""Finds: parsing, chunking, importing and the index."""
