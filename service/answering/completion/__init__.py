"""Suggests how a query may go on; begin with `complete_query`."""
