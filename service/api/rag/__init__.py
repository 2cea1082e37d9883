"""RAG corpora, their files, and retrieval from them; begin with `retrieve_contexts`."""
