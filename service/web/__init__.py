"""Reads and searches the web where the operator allows that; `page_fetcher` is the entry."""
