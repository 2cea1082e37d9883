"""Tests of generateContent, and of the methods that check, rank and write.

- embed_content: clients/test_embeddings
- generate_content: clients/test_generation_framing, clients/test_genai
- grounding: clients/test_discoveryengine_helpers
- models: clients/test_vertexai_generation
"""
