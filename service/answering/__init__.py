"""Joins finding, saying and telling: the way of one query from its acceptance to its proof."""
