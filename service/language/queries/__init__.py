"""Reads what only queries have: hurried spellings, names, leaning; `word_roles` is the entry."""
