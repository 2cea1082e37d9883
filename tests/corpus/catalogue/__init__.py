"""Tests of what there is are those of its resources, with the clients that the documents name.

- branches, catalogue: clients/test_discoveryengine_data_stores,
  clients/test_discoveryengine_engines
- rag_corpora, rag_corpus_configs: clients/test_rag_corpora
"""
