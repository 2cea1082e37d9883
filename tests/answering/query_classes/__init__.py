"""Tests of the classes of queries.

- features: answering/query_classes/test_classifiers, training/test_train_query_classes
- reported_classes: answering/pipeline/test_pipeline, clients/test_discoveryengine_refusals
"""
