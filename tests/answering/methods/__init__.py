"""Tests of the documented methods; most are shown by the official clients.

- answer_query, pipeline_requests: clients/test_discoveryengine_answer_requests
- converse_conversation: clients/test_discoveryengine_conversations
- count_tokens: clients/test_vertexai_generation, clients/test_genai
- document_generation: answering/methods/test_generate_content
- grounded_generation: clients/test_discoveryengine_helpers
- outcomes, submission: clients/test_discoveryengine_answers, api/test_websocket_connections
- retrieval_tools: answering/methods/test_prompt_contents, clients/test_vertexai_rag
- search: clients/test_discoveryengine_search
"""
