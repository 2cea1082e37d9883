"""Tokens of users and visitors over REST; `tokens` is the entry."""
