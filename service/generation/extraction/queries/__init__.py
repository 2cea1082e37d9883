"""Reads a query as choosing blocks needs it; begin with `weighted_query`."""
