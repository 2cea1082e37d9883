"""Writes answers, whatever happens to a process; `runner` is the entry."""
