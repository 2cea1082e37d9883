"""Tests of the stages of a query.

- growing_text, proving, skipping: answering/pipeline/test_pipeline
- retrieving: answering/pipeline/test_pipeline, clients/test_discoveryengine_answer_sources
"""
