"""Tests of the tables that say what becomes of each field of a request.

- answering, searching: answering/requests/field_effects/test_effective_requests
- effects, generation: answering/requests/field_effects/test_effective_requests
"""
