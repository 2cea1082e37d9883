"""Turns a query into hits, results and contexts; begin with `scopes`."""
