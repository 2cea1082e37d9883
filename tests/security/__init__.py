"""Tests of who may ask what, on plain values.

- hosts, origins, request_head: security/test_request_policy
"""
