"""Tests of `service.api.operations`.

- operation_views: api/operations/test_operation_schemas, clients/test_discoveryengine_operations
- operations: clients/test_discoveryengine_operations
"""
