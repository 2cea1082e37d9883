"""Tests of who asks and who may do what.

- hosts, request_head, trusted_origins: security/test_request_policy
"""
