"""Search, query completion and user events over REST; `search` is the entry."""
