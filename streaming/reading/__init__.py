"""Tells answers to their readers from any position; `subscription` is the entry."""
