"""Reads documents in child processes that can be killed; `pool` is the way in."""
