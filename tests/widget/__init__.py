"""The chat in a real browser, on our own page and on those of other sites."""
