"""Tests of the stages of a query.

- answered_queries: clients/test_discoveryengine_completion
- prompting, proving: answering/pipeline/test_pipeline
- retrieving: answering/pipeline/test_pipeline, clients/test_discoveryengine_answer_sources
"""
