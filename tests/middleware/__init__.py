"""Tests of what stands between the server and the router, through a running service.

- exchange: middleware/test_access_logging, middleware/test_request_metrics,
  middleware/test_response_headers
- request_limit: clients/test_overload
- request_tracing: tracing/test_requests
- stack: middleware/test_request_checks, middleware/test_response_headers
"""
