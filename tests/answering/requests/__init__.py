"""Tests of what is refused before anything is searched for.

- embedding_texts: clients/test_embeddings
- field_checks: clients/test_discoveryengine_answer_requests
- models: clients/test_vertexai_generation, clients/test_genai
- order_by: answering/retrieval/test_document_ranking
- user_events: clients/test_discoveryengine_user_events
"""
