"""Keeps all that Redis holds of a service in one file, and restores it; `backup` is the entry."""
