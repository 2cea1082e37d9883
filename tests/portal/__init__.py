"""Tests of `service.portal`.

- token_issuer: security/tokens/test_portal_issuers
"""
