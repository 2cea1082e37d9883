"""Rank what an index has for a query, whichever engine it runs on; `scoped_search` is the entry."""
