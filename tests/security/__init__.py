"""Tests of who asks and who may do what.

- authentication: middleware/test_authentication
- hosts, request_head, trusted_origins: security/test_request_policy
"""
