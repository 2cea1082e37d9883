"""Reads what only queries have: hurried spellings, names, asides; `word_roles` is the entry."""
