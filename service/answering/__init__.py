"""Joins find, say and tell: the way of one query from its acceptance to its proof."""
