"""Tests of tokens.

- subjects, token_claims, trusted_issuers: security/tokens/test_token_verifier
- verified_tokens: security/tokens/test_token_verifier
- signing_keys: security/tokens/test_token_verifier
- verification_keys: security/tokens/test_portal_issuers
"""
