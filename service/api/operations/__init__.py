"""Long-running operations over REST; `operations` is the entry."""
