"""Tests of what every controller stands on.

- allowed_methods: middleware/test_head_and_options, api/http/test_errors
- request_address: api/http/test_verbs
- routes: api/pages/test_openapi
"""
