"""Tests of the interfaces, most of them against a running service.

- health: whole/test_waiting_for_redis, clients/test_overload
- websocket_endpoint: middleware/test_request_checks, whole/test_stopping
"""
