"""Knows which data stores, engines and RAG corpora there are; `catalogue` is the entry."""
