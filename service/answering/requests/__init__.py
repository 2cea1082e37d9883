"""Reads what requests ask and refuses what is wrong in itself; begin with `queries`."""
