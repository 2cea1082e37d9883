"""Keeps the images of documents, within bounds; `collector` is the entry."""
