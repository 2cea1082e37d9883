"""Tokens of users and visitors, whoever signs them; `token_verifier` is the entry."""
