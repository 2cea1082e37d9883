"""Runs work that outlasts its request, and remembers it; `operations` is the entry."""
