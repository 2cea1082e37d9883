"""Chooses the blocks of the sources that answer a query, without I/O; begin with `composition`."""
