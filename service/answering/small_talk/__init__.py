"""Replies to queries that ask the documents nothing, such as a greeting; begin with `kinds`."""
