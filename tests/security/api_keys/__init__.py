"""Tests of the keys of programs.

- api_key, lifecycle, store: security/api_keys/test_registry
"""
