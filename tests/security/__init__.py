"""Tests of who asks and who may do what.

- hosts, request_head: security/test_request_policy
"""
