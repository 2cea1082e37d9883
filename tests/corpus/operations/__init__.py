"""Tests of work that outlasts its request.

- liveness, operation_limit, running_operation: corpus/operations/test_operations
"""
