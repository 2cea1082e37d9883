"""Tests of who may ask what, on plain values.

- hosts, request_head, trusted_origins: security/test_request_policy
"""
