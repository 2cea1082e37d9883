"""Finds what else a portal could be asked; `related_questions` is the entry."""
