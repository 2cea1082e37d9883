"""Tests of the stages of a query.

- growing_text, prompting, proving: answering/pipeline/test_pipeline
- query_features: answering/pipeline/test_understanding, training/test_train_query_classes
- retrieving: answering/pipeline/test_pipeline, clients/test_discoveryengine_answer_sources
"""
