"""Tests of tokens.

- subjects, token_claims, trusted_issuers: security/tokens/test_token_verifier
- verified_tokens: security/tokens/test_token_verifier
- read_tokens: clients/test_read_tokens
- signing_keys: security/tokens/test_token_verifier
- visitor_store, visitor_merges: security/tokens/test_visitor_minter
- verification_keys: security/tokens/test_portal_issuers
"""
