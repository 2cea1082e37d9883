"""Tests of operations over REST.

- operation_starts, operation_views, operations: clients/test_discoveryengine_operations
"""
