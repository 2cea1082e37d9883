"""Writes every accepted answer to its end, whatever happens to a process; `runner` is the entry."""
