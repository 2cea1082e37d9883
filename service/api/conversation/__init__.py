"""Answers, sessions and conversations over REST; `answers` is the entry of a query."""
