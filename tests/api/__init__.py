"""Tests of the interfaces, most of them against a running service.

- connection_services: api/test_websocket_connections
- frame_requests: api/test_websocket_connections, api/test_websocket_credentials
- frame_project_numbers: clients/test_project_numbers
- health: whole/test_waiting_for_redis, clients/test_overload
- websocket_endpoint: middleware/test_request_checks, whole/test_stopping
"""
