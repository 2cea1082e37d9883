"""Remembers: the documented resources, their names, their life cycles and their place in Redis."""
