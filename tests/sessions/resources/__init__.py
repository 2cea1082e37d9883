"""Tests of the documented messages, against the official ones.

- answer_query, answers, augmentations, base, candidates: sessions/resources/test_resources
- check_grounding, chunks, complete_query, contents: sessions/resources/test_resources
- conversations, data_stores, documents, documents_metadata: sessions/resources/test_resources
- embeddings, engines, enums, generate_content: sessions/resources/test_resources
- grounded_generation, models: sessions/resources/test_resources
- operations, rag_corpora, rag_files, rank, retrieve_contexts: sessions/resources/test_resources
- search_requests, search_results, sessions, summaries, tools: sessions/resources/test_resources
- suggestions, user_events: sessions/resources/test_resources
- user_data: privacy/test_user_data_purge
- processed_documents: clients/test_read_tokens
- tokens: security/tokens/test_token_minter
- widget_configs: answering/completion/test_widget_config
"""
