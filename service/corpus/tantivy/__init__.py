"""The embedded index: on disk, and kept fresh from the change feed; `index` is the entry."""
