"""Tests of the tables that say what becomes of each field of a request.

- effects, generation: answering/requests/field_effects/test_effective_requests
"""
